/** Preferences and other values in the browser's local storage. */
import { bestTag, FIRST, LANGUAGES } from './languages';

export type Theme = 'auto' | 'light' | 'dark';

export interface Preferences {
  /** null: the browser's preference. */
  language: string | null;
  theme: Theme;
  hints: boolean;
  game: string | null;
  sounds: boolean;
  shakes: boolean;
  notices: boolean;
  chat: boolean;
}

const DEFAULTS: Preferences = { language: null, theme: 'auto', hints: true, game: null, sounds: true, shakes: true, notices: false, chat: true };
const KEY = 'ekoes.preferences';

/** The fallback also where storage is not available. */
export function stored<T>(key: string, fallback: T): T {
  try {
    const text = localStorage.getItem(key);
    return text === null ? fallback : (JSON.parse(text) as T);
  } catch {
    return fallback;
  }
}

/** Reads preferences from the first key that exists; missing ones get their default. */
export function loadPreferences<T extends object>(defaults: T, ...keys: string[]): T {
  const kept: Partial<T> = keys.map((key) => stored<Partial<T> | null>(key, null)).find((value) => value !== null) ?? {};
  const names = Object.keys(defaults) as (keyof T)[];
  return { ...defaults, ...Object.fromEntries(names.filter((name) => name in kept).map((name) => [name, kept[name]])) };
}

export function store(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // A browser that forbids storage still plays.
  }
}

export const preferences = $state<Preferences>(loadPreferences(DEFAULTS, KEY));

/** Keeps unknown values of earlier releases. */
export function prefer(change: Partial<Preferences>): void {
  Object.assign(preferences, change);
  store(KEY, { ...stored(KEY, {}), ...preferences });
}

export function spoken(chosen: string | null, browser: readonly string[], tags = LANGUAGES.map(({ tag }) => tag)): string {
  if (chosen !== null && tags.includes(chosen)) return chosen;
  return bestTag(browser, tags) ?? FIRST;
}

export function calm(): boolean {
  return typeof matchMedia === 'function' && matchMedia('(prefers-reduced-motion: reduce)').matches;
}

export interface Visited {
  id: string;
  game: string;
  at: string;
  names: string[];
}
const VISITED = 'ekoes.tables';

export function visited(): Visited[] {
  const kept = stored<Partial<Visited>[]>(VISITED, []);
  return kept.map(({ id = '', game = '', at = '', names = [] }) => ({ id, game, at, names }));
}

export function visit(table: Visited): void {
  store(VISITED, [table, ...visited().filter(({ id }) => id !== table.id)].slice(0, 8));
}
