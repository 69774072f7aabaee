/** The games of this page. Each has an entry, `GAME/game.ts`, and there is no other list of them. Their pages are loaded on demand. */
import type { Component, Snippet } from 'svelte';
import { ask } from '../net/api';
import { gameOnDevice } from '../net/device';
import { notedGame, noteGame } from '../net/known';
import type { NewTable, PuzzlePlayed, SeatInfo } from '../net/protocol';
import type { GameInfo, PuzzleInfo, ServerInfo, TableMessage } from '../protocol/messages';
import { loadTexts } from '../ui/i18n.svelte';
import type { Route, View } from '../ui/route.svelte';
import { preferences, visited } from '../ui/settings.svelte';
import type { Opened } from './analysis/opened';
import { type GameHome, loadedHome, noteHome } from './homes.svelte';
import type { Exercise } from './localTable.svelte';
import type { AnyTableState } from './table.svelte';
import type { Played, TaskChapter } from './tasks';

export type TablePage = Component<{ id: string; as: View }>;
export type SettingsPage = Component<{ table?: AnyTableState }>;
/** `query`: what is chosen, or where it starts, as in its address; `opened`: what is on an analysis board, in place of that. */
export type PartPage = Component<{ about: GameInfo; query: string; opened?: Opened | undefined }>;
/** `card`: says what is to be found; `moves`: what has been played, in words. */
export type LessonPage = Component<{
  exercise: Exercise;
  title: string;
  card: Snippet<[seats: readonly SeatInfo[], moves: readonly string[]]>;
}>;

/** What a game brings to the page. Its folder has the server's name for it, and so have those of its texts and rules. */
export interface GameEntry {
  title: string;
  Sign: Component<{ size?: number }>;
  home(): Promise<GameHome>;
  table(): Promise<{ default: TablePage }>;
  settings(): Promise<{ default: SettingsPage }>;
  /** The form that creates a game. */
  new: () => Promise<{ default: PartPage }>;
  /** Where lessons, tasks of studies and puzzles are played. */
  lesson?(): Promise<{ default: LessonPage }>;
  /** What a lesson is about, as a picture. */
  lessonSign?(): Promise<{ default: Component<{ lesson: string }> }>;
  /** What a rule says, as a picture. */
  rulePicture?(): Promise<{ default: Component<{ rule: string }> }>;
  /** Plays the tasks of lessons and studies. */
  task?(): Promise<{ taskOf: (chapter: TaskChapter) => (decisions: readonly never[]) => Played }>;
  /** Plays and judges puzzles. */
  puzzle?(): Promise<{ puzzleOf: (puzzle: PuzzleInfo) => (decisions: readonly never[]) => PuzzlePlayed }>;
  /** Games that the page plays without a server. goOn: with a table of the server. Both return the id of a game. */
  device?(): Promise<{
    default: TablePage;
    begin(plan: NewTable<never>): Promise<string>;
    /** The record of a first position, the one that the server draws from a seed. */
    newRecord(options: never, seed?: bigint): Promise<string>;
    goOn(table: Pick<AnyTableState, 'seats'> & { state: never; options: never }): Promise<string>;
  }>;
  analysis?(): Promise<{ default: PartPage }>;
  editor?(): Promise<{ default: PartPage }>;
  train?(): Promise<{ default: PartPage }>;
  /** What the reviews of the reader's games say together. */
  coach?(): Promise<{ default: PartPage }>;
}
type Part = Exclude<keyof GameEntry, 'title' | 'Sign' | 'home' | 'table' | 'task' | 'puzzle' | 'device'>;
type PageOf<Name extends Part> = Awaited<ReturnType<NonNullable<GameEntry[Name]>>>['default'];
/** Those whose words are in a folder of their own. */
const STUDIES: readonly Part[] = ['analysis', 'coach', 'editor', 'train'];

const found = import.meta.glob<GameEntry>('../*/game.ts', { eager: true, import: 'default' });
const entries = new Map(Object.entries(found).map(([path, entry]) => [path.split('/')[1] ?? '', entry]));

export const GAMES: readonly string[] = [...entries.keys()];

export function entryOf(game: string): GameEntry | null {
  return entries.get(game) ?? null;
}

export function titleOf(game: string): string {
  return entries.get(game)?.title ?? game;
}

/** The server's games that this page has a board for, in the server's order; null: the server is not known yet. */
export function offered(about: ServerInfo | null): GameInfo[] {
  return (about?.games ?? []).filter(({ name }) => entries.has(name));
}

/** The options of a game that others are invited to. */
export function invitedOptions(about: GameInfo): object {
  return loadedHome(about.name)?.invitation(about).options ?? {};
}

/** Throws if this page does not have the game. */
export async function loadHome(game: string): Promise<GameHome> {
  const entry = entries.get(game);
  if (!entry) throw new Error(`no pages of ${game}`);
  const [home] = await Promise.all([entry.home(), loadTexts(game)]);
  noteHome(game, home);
  return home;
}

/** The picture of a game, without its words, which weigh more. Throws if this page does not have the game. */
export async function loadHero(game: string): Promise<GameHome['Hero']> {
  const home = await entries.get(game)?.home();
  if (!home) throw new Error(`no pages of ${game}`);
  return home.Hero;
}

/** What the front page shows of its games. */
export function loadEntrances(games: readonly GameInfo[]): Promise<unknown> {
  return Promise.all(games.map(({ name }) => (games.length > 1 ? loadHero(name) : loadHome(name))));
}

/** A part of a game's pages, with its words; null: the game has none. */
export async function loadPart<Name extends Part>(game: string, name: Name): Promise<PageOf<Name> | null> {
  const load = entries.get(game)?.[name] as (() => Promise<{ default: PageOf<Name> }>) | undefined;
  if (!load) return null;
  const [part] = await Promise.all([
    load(),
    loadTexts('table'),
    loadTexts(game),
    STUDIES.includes(name) && loadTexts(`${game}/study`),
  ]);
  return part.default;
}

/** Throws `Refused` if there is no such table or the server can't be reached. */
export async function loadTable(id: string): Promise<TablePage> {
  const game =
    notedGame(id) ||
    gameOnDevice(id) ||
    visited().find((table) => table.id === id)?.game ||
    (await ask<TableMessage>(`/api/tables/${id}`)).game;
  noteGame(id, game);
  const [page] = await Promise.all([
    (gameOnDevice(id) ? entries.get(game)?.device?.() : entries.get(game)?.table()) ??
      import('./plain/PlainPage.svelte'),
    loadTexts('table'),
    loadTexts(game),
  ]);
  return page.default;
}

/** The games of the front page: the one in the address, else the last one chosen, else all, each behind a door. */
export function entrances(now: Route, games: readonly GameInfo[]): readonly GameInfo[] {
  const find = (wanted: string | null): GameInfo | undefined => games.find(({ name }) => name === wanted);
  const found = find('game' in now ? now.game : null) ?? find(preferences.game);
  return found ? [found] : games;
}

/** From the address, else the last one chosen, else the first. */
export function chosenGame(now: Route, games: readonly GameInfo[]): GameInfo | null {
  return entrances(now, games)[0] ?? null;
}
