/** The games of this page. Each has an entry, `GAME/game.ts`, and there is no other list of them. Their pages are loaded on demand. */
import type { Component } from 'svelte';
import type { Opened } from './analysis/desk.svelte';
import { ask } from './api';
import { loadTexts } from './i18n.svelte';
import type { Puzzle } from './puzzles/puzzle.svelte';
import type { GameAbout, Meta, NewTable } from './protocol';
import type { Route, View } from './route.svelte';
import type { Course, Task } from './study/task.svelte';
import type { AnyTableState } from './table.svelte';
import { preferences, visited } from './settings.svelte';

export interface GameHome {
  /** The picture beside the name of the game. */
  Hero: Component;
  Intro: Component;
  quickTable(about: GameAbout): NewTable;
  invitation(about: GameAbout): NewTable;
  /** What differs from the defaults, in words. */
  describeOptions(options: object): string[];
}
export type TablePage = Component<{ id: string; as: View }>;
/** `query`: what is chosen already, as in its address. */
export type FormPage = Component<{ about: GameAbout; query: string }>;
export type SettingsPage = Component<{ table?: AnyTableState }>;
export type PuzzlePage = Component<{ puzzle: Puzzle }>;
/** `query`: where it starts, as in its address; `opened`: what is on an analysis board, in place of that. */
export type AnalysisPage = Component<{ about: GameAbout; query: string; opened?: Opened | undefined }>;
export type LessonPage = Component<{ task: Task; course: Course }>;

/** What a game brings to the page. Its folder has the server's name for it, and so have those of its texts and rules. */
export interface GameEntry {
  title: string;
  Sign: Component<{ size?: number }>;
  home(): Promise<GameHome>;
  form(): Promise<{ default: FormPage }>;
  settings(): Promise<{ default: SettingsPage }>;
  table(): Promise<{ default: TablePage }>;
  lesson?(): Promise<{ default: LessonPage }>;
  puzzle?(): Promise<{ default: PuzzlePage }>;
  analysis?(): Promise<{ default: AnalysisPage }>;
  editor?(): Promise<{ default: AnalysisPage }>;
  training?(): Promise<{ default: AnalysisPage }>;
}

const found = import.meta.glob<GameEntry>('../*/game.ts', { eager: true, import: 'default' });
const entries = new Map(Object.entries(found).map(([path, entry]) => [path.split('/')[1] ?? '', entry]));

const loaded = new Map<string, GameHome>();
/** Which game a table plays, as far as this page knows. */
const known = new Map<string, string>();

export const GAMES: readonly string[] = [...entries.keys()];

export function entryOf(game: string): GameEntry | null {
  return entries.get(game) ?? null;
}

export function titleOf(game: string): string {
  return entries.get(game)?.title ?? game;
}

/** The server's games that this page has a board for, in the server's order; null: the server is not known yet. */
export function offered(about: Meta | null): GameAbout[] {
  return (about?.games ?? []).filter(({ name }) => entries.has(name));
}

export function loadedHome(game: string): GameHome | null {
  return loaded.get(game) ?? null;
}

export async function loadHome(game: string): Promise<GameHome> {
  const home = await part(game, (entry) => entry.home());
  loaded.set(game, home);
  return home;
}

/** A part of a game's pages, with the texts of its folders. Throws if this page does not have the game. */
async function part<T>(game: string, load: (entry: GameEntry) => Promise<T>, ...more: string[]): Promise<T> {
  const entry = entries.get(game);
  if (!entry) throw new Error(`no pages of ${game}`);
  return (await Promise.all([load(entry), loadTexts(game), ...more.map(loadTexts)]))[0];
}

export const formOf = async (game: string): Promise<FormPage> => (await part(game, (entry) => entry.form())).default;
/** null: the game has no puzzles. */
export const puzzlePageOf = async (game: string): Promise<PuzzlePage | null> => (await part(game, async (entry) => entry.puzzle?.(), `${game}/study`))?.default ?? null;
export const settingsOf = async (game: string): Promise<SettingsPage> => (await part(game, (entry) => entry.settings())).default;

/** A page that a game need not have; null: it has none. */
async function studyOf(game: string, page: 'analysis' | 'editor' | 'training'): Promise<AnalysisPage | null> {
  return entries.get(game)?.[page] ? (await part(game, async (entry) => entry[page]?.(), `${game}/study`))!.default : null;
}
export const analysisOf = (game: string): Promise<AnalysisPage | null> => studyOf(game, 'analysis');
export const editorOf = (game: string): Promise<AnalysisPage | null> => studyOf(game, 'editor');
export const trainingOf = (game: string): Promise<AnalysisPage | null> => studyOf(game, 'training');

/** The tables that this page has created. */
export const created = new Set<string>();

export function noteGame(id: string, game: string): void {
  known.set(id, game);
}

/** Throws `Refused` if there is no such table or the server can't be reached. */
export async function loadTable(id: string): Promise<TablePage> {
  const game = known.get(id) || visited().find((table) => table.id === id)?.game || (await ask<{ game: string }>(`/api/tables/${id}`)).game;
  known.set(id, game);
  const [page] = await Promise.all([entries.get(game)?.table() ?? import('./plain/PlainPage.svelte'), loadTexts(game)]);
  return page.default;
}

/** From the address, else the last one chosen, else the first. */
export function chosenGame(now: Route, games: readonly GameAbout[]): GameAbout | null {
  const find = (wanted: string | null): GameAbout | undefined => games.find(({ name }) => name === wanted);
  return find('game' in now ? now.game : null) ?? find(preferences.game) ?? games[0] ?? null;
}
