/** The pages of each game, loaded when they are needed: who plays one game does not load the other. */
import type { Component } from 'svelte';
import { gameOf } from './api';
import { learn } from './i18n.svelte';
import type { GameName } from './protocol';
import { preferences, visited } from './settings.svelte';
import type { Route } from './route.svelte';

export type Form = Component;
export type TablePage = Component<{ id: string }>;

const forms: Record<GameName, () => Promise<{ default: Form }>> = {
  eko: () => import('../pages/EkoNew.svelte'),
  ekko: () => import('../pages/EkkoNew.svelte'),
};
const tables: Record<GameName, () => Promise<{ default: TablePage }>> = {
  eko: () => import('../pages/EkoPage.svelte'),
  ekko: () => import('../pages/EkkoPage.svelte'),
};
/** Games whose words lie in a catalogue of their own. */
const WORDS: readonly GameName[] = ['ekko'];

const loadedForms = new Map<GameName, Form>();
/** Which game a table plays, as far as this page knows. */
const known = new Map<string, GameName>();

/** The form for a new game, if it is here already: then it can be shown at once. */
export function formAtHand(game: GameName): Form | null {
  return loadedForms.get(game) ?? null;
}

export async function loadForm(game: GameName): Promise<Form> {
  const form = (await forms[game]()).default;
  loadedForms.set(game, form);
  return form;
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

/** The game whose form the home page shows. */
export function chosenGame(now: Route): GameName {
  return (now.page === 'home' ? now.game : null) ?? preferences.game;
}
