/** The pages of each game, loaded when they are needed: who plays one game does not load the other. */
import type { Component } from 'svelte';
import { gameOf } from './api';
import { learn } from './i18n.svelte';
import type { GameName } from './protocol';
import type { Route } from './route.svelte';
import { preferences, visited } from './settings.svelte';

/** What the home page shows of a game: the form for a new one, and what can be preferred. */
export interface Entrance {
  Form: Component;
  Settings: Component;
}
export type TablePage = Component<{ id: string }>;

const entrances: Record<GameName, () => Promise<Entrance>> = {
  eko: () => import('../eko/home'),
  ekko: () => import('../ekko/home'),
};
const tables: Record<GameName, () => Promise<{ default: TablePage }>> = {
  eko: () => import('../eko/EkoPage.svelte'),
  ekko: () => import('../ekko/EkkoPage.svelte'),
};
/** Games whose words lie in a catalogue of their own. */
const WORDS: readonly GameName[] = ['ekko'];

const loaded = new Map<GameName, Entrance>();
/** Which game a table plays, as far as this page knows. */
const known = new Map<string, GameName>();

/** The entrance of a game, if it is here already: then it can be shown at once. */
export function entranceAtHand(game: GameName): Entrance | null {
  return loaded.get(game) ?? null;
}

export async function loadEntrance(game: GameName): Promise<Entrance> {
  const [entrance] = await Promise.all([entrances[game](), WORDS.includes(game) && learn(game)]);
  loaded.set(game, entrance);
  return entrance;
}

/** Notes the game of a table that has just been made. */
export function madeTable(id: string, game: GameName): void {
  known.set(id, game);
}

/** The page of a table. Raises: `Refused` if there is no such table or the server can't be reached. */
export async function loadTable(id: string): Promise<TablePage> {
  const game = known.get(id) ?? visited().find((table) => table.id === id)?.game ?? (await gameOf(id));
  known.set(id, game);
  const [page] = await Promise.all([tables[game](), WORDS.includes(game) && learn(game)]);
  return page.default;
}

/** The game that the home page shows. */
export function chosenGame(now: Route): GameName {
  return (now.page === 'home' ? now.game : null) ?? preferences.game;
}
