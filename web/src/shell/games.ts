/**
 * The games that this page has a board for: each brings an entry, `GAME/game.ts`, and there is no other list of them. Their pages are
 * loaded when they are needed: who plays one game does not load another.
 */
import type { Component } from 'svelte';
import { gameOf } from './api';
import { learn } from './i18n.svelte';
import type { Course } from './learn/course';
import type { Lesson } from './learn/lesson.svelte';
import type { GameAbout, Meta, NewTable } from './protocol';
import type { Route, View } from './route.svelte';
import type { Paced } from './table.svelte';
import { preferences, visited } from './settings.svelte';

/** What the home page shows of a game: the form for a new one, and what can be preferred. */
export interface Entrance {
  Form: Component<{ about: GameAbout }>;
  /** table: the one at which they are looked at. */
  Settings: Component<{ table?: Paced }>;
  /** What the game is about, for whoever comes the first time. */
  Intro: Component;
  /** A table to play at once, against bots that suit somebody new. */
  quickTable(about: GameAbout): NewTable;
  /** A table for whoever has its link. */
  invitation(about: GameAbout): NewTable;
  /** What is not as usual at a table, in words: as little as tells it from others. */
  told(options: object): string[];
}
export type TablePage = Component<{ id: string; as: View }>;
export type LessonPage = Component<{ lesson: Lesson; course: Course }>;

/** What a game brings to the page. Its folder is named as the server names it, and so are those of its words and rules. */
export interface GameEntry {
  /** The name on the box. */
  title: string;
  /** The small picture of the game. */
  Sign: Component<{ size?: number }>;
  home(): Promise<Entrance>;
  table(): Promise<{ default: TablePage }>;
  /** The page of a lesson, where the game is taught. */
  lesson?(): Promise<{ default: LessonPage }>;
}

const found = import.meta.glob<GameEntry>('../*/game.ts', { eager: true, import: 'default' });
const entries = new Map(Object.entries(found).map(([path, entry]) => [path.split('/')[1] ?? '', entry]));

const loaded = new Map<string, Entrance>();
/** Which game a table plays, as far as this page knows. */
const known = new Map<string, string>();

/** The games of this page by name. */
export const GAMES: readonly string[] = [...entries.keys()];

/** What a game brings to the page; null: the page has no board for it. */
export function entryOf(game: string): GameEntry | null {
  return entries.get(game) ?? null;
}

/** The name on the box; the server's word for a game without one here. */
export function titleOf(game: string): string {
  return entries.get(game)?.title ?? game;
}

/** What can be played here, in the server's order: games that the server knows and the page has a board for. */
export function offered({ games }: Meta): GameAbout[] {
  return games.filter(({ name }) => entries.has(name));
}

/** The entrance of a game, if it is here already: then it can be shown at once. */
export function entranceAtHand(game: string): Entrance | null {
  return loaded.get(game) ?? null;
}

/** The entrance of a game that is offered. */
export async function loadEntrance(game: string): Promise<Entrance> {
  const [entrance] = await Promise.all([entries.get(game)?.home(), learn(game)]);
  if (!entrance) throw new Error(`no entrance to ${game}`);
  loaded.set(game, entrance);
  return entrance;
}

/** Notes the game of a table that has just been made. */
export function madeTable(id: string, game: string): void {
  known.set(id, game);
}

/** The page of a table. Raises: `Refused` if there is no such table or the server can't be reached. */
export async function loadTable(id: string): Promise<TablePage> {
  const game = known.get(id) || visited().find((table) => table.id === id)?.game || (await gameOf(id));
  known.set(id, game);
  const [page] = await Promise.all([entries.get(game)?.table() ?? import('./plain/PlainPage.svelte'), learn(game)]);
  return page.default;
}

/** The game that the home page shows: of the address, else of the last time, else the first. */
export function chosenGame(now: Route, games: readonly GameAbout[]): GameAbout | null {
  const find = (wanted: string | null): GameAbout | undefined => games.find(({ name }) => name === wanted);
  return find(now.page === 'home' ? now.game : null) ?? find(preferences.game) ?? games[0] ?? null;
}
