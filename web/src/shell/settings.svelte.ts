/** What a person prefers, kept in this browser. */

import type { GameName } from './protocol';

export type Theme = 'auto' | 'light' | 'dark';
export const LANGUAGES = ['en', 'fr', 'de', 'cs'] as const;
export type Language = (typeof LANGUAGES)[number];

export interface Preferences {
  language: Language | null;
  theme: Theme;
  autoEnd: boolean;
  hints: boolean;
  /** Milliseconds between the moves of bots. */
  pace: number;
  /** The game that the home page shows. */
  game: GameName;
}

const DEFAULTS: Preferences = { language: null, theme: 'auto', autoEnd: false, hints: true, pace: 700, game: 'eko' };
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

/** Keeps a value in the browser's store, where there is one. */
export function keep(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // A browser that forbids storing still plays; it just does not remember.
  }
}

export const preferences = $state<Preferences>({ ...DEFAULTS, ...recall<Partial<Preferences>>(KEY, {}) });

/** Changes preferences and keeps them. */
export function prefer(change: Partial<Preferences>): void {
  Object.assign(preferences, change);
  keep(KEY, preferences);
}

/** The language to speak: the one chosen, else the first of the browser's that we know, else English. */
export function spoken(chosen: Language | null, browser: readonly string[]): Language {
  if (chosen && LANGUAGES.includes(chosen)) return chosen;
  for (const tag of browser) {
    const known = LANGUAGES.find((language) => tag.toLowerCase().startsWith(language));
    if (known) return known;
  }
  return 'en';
}

/** Whether the system asks for calm: then nothing moves. */
export function calm(): boolean {
  return typeof matchMedia === 'function' && matchMedia('(prefers-reduced-motion: reduce)').matches;
}

export interface Visited {
  id: string;
  game: GameName;
  at: string;
  names: string[];
}
const VISITED = 'ekoes.tables';

/** The tables this browser has been at, the latest first; what was kept before there were two games is Ekö's. */
export function visited(): Visited[] {
  const kept = recall<Partial<Visited>[]>(VISITED, []);
  return kept.map(({ id = '', game = 'eko', at = '', names = [] }) => ({ id, game, at, names }));
}

export function visit(table: Visited): void {
  keep(VISITED, [table, ...visited().filter(({ id }) => id !== table.id)].slice(0, 8));
}
