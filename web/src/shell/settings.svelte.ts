/** What a person prefers in every game, kept in this browser; and the store that games keep theirs in too. */
import { bestTag, FIRST, LANGUAGES } from './languages';

export type Theme = 'auto' | 'light' | 'dark';

export interface Preferences {
  /** A tag of the list; null: what the browser prefers. */
  language: string | null;
  theme: Theme;
  hints: boolean;
  /** The game that the home page shows; null: the first. */
  game: string | null;
  sounds: boolean;
  /** A telephone may shake. */
  shakes: boolean;
  /** The system tells of my turn while the page is out of sight. */
  notices: boolean;
  /** What people say at tables is shown. */
  chat: boolean;
}

const DEFAULTS: Preferences = { language: null, theme: 'auto', hints: true, game: null, sounds: true, shakes: true, notices: false, chat: true };
const KEY = 'ekoes.preferences';

/** Reads a JSON value from the browser's store; the fallback where there is none or the store is closed to us. */
export function recall<T>(key: string, fallback: T): T {
  try {
    const text = localStorage.getItem(key);
    return text === null ? fallback : (JSON.parse(text) as T);
  } catch {
    return fallback;
  }
}

/** Reads values that are kept together under one of some keys, the first that there is; each that is missing has its default. */
export function recallSome<T extends object>(defaults: T, ...keys: string[]): T {
  const kept: Partial<T> = keys.map((key) => recall<Partial<T> | null>(key, null)).find((value) => value !== null) ?? {};
  const names = Object.keys(defaults) as (keyof T)[];
  return { ...defaults, ...Object.fromEntries(names.filter((name) => name in kept).map((name) => [name, kept[name]])) };
}

/** Keeps a value in the browser's store, where there is one. */
export function keep(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // A browser that forbids storing still plays; it just does not remember.
  }
}

export const preferences = $state<Preferences>(recallSome(DEFAULTS, KEY));

/** Changes preferences and keeps them, beside what an earlier page kept there. */
export function prefer(change: Partial<Preferences>): void {
  Object.assign(preferences, change);
  keep(KEY, { ...recall(KEY, {}), ...preferences });
}

/** The language to speak: the one chosen, else the best for the browser, else the first of the list. */
export function spoken(chosen: string | null, browser: readonly string[], tags = LANGUAGES.map(({ tag }) => tag)): string {
  if (chosen !== null && tags.includes(chosen)) return chosen;
  return bestTag(browser, tags) ?? FIRST;
}

/** Whether the system asks for calm: then nothing moves. */
export function calm(): boolean {
  return typeof matchMedia === 'function' && matchMedia('(prefers-reduced-motion: reduce)').matches;
}

export interface Visited {
  id: string;
  /** Empty where it was not kept. */
  game: string;
  at: string;
  names: string[];
}
const VISITED = 'ekoes.tables';

/** The tables this browser has been at, the latest first. */
export function visited(): Visited[] {
  const kept = recall<Partial<Visited>[]>(VISITED, []);
  return kept.map(({ id = '', game = '', at = '', names = [] }) => ({ id, game, at, names }));
}

export function visit(table: Visited): void {
  keep(VISITED, [table, ...visited().filter(({ id }) => id !== table.id)].slice(0, 8));
}
