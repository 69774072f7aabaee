/** Preferences and other values in the browser's local storage. */
import type { SeatInfo } from '../protocol/messages';
import { bestTag, FIRST, LANGUAGES } from './languages';

export type Theme = 'auto' | 'light' | 'dark';

interface Preferences {
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

/** The fallback also where storage is not available. */
export function stored<T>(key: string, fallback: T): T {
  try {
    const text = localStorage.getItem(key);
    return text === null ? fallback : (JSON.parse(text) as T);
  } catch {
    return fallback;
  }
}

export function store(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // A browser that forbids storage still plays.
  }
}

/** A value of this browser under a key of its storage. */
export class Stored<T> {
  #value = $state.raw<T>() as T;
  readonly #key: string;

  constructor(key: string, fallback: T) {
    [this.#key, this.#value] = [key, stored(key, fallback)];
  }
  get value(): T {
    return this.#value;
  }
  set value(value: T) {
    this.#value = value;
    store(this.#key, value);
  }
}

/** The name that is offered wherever this browser takes a seat. */
export const ownName = new Stored('ekoes.name', '');

/** Preferences of this browser under a key of its storage, and the function that changes them; missing ones have their default. */
export function storedPreferences<T extends object>(
  key: string,
  defaults: T,
): [preferences: T, prefer: (change: Partial<T>) => void] {
  const preferences = $state({ ...defaults, ...stored<Partial<T>>(key, {}) });
  return [
    preferences,
    (change) => {
      Object.assign(preferences, change);
      store(key, preferences);
    },
  ];
}

export const [preferences, prefer] = storedPreferences<Preferences>('ekoes.preferences', {
  language: null,
  theme: 'auto',
  hints: true,
  game: null,
  sounds: true,
  shakes: true,
  notices: false,
  chat: true,
});

export function spoken(
  chosen: string | null,
  browser: readonly string[],
  tags = LANGUAGES.map(({ tag }) => tag),
): string {
  if (chosen !== null && tags.includes(chosen)) return chosen;
  return bestTag(browser, tags) ?? FIRST;
}

export interface Visited {
  id: string;
  game: string;
  at: string;
  /** Played in this browser, with other people. */
  shared?: boolean;
  /** Those without a name are called by their colour, in the language of the day. */
  seats: readonly (Pick<SeatInfo, 'name' | 'colour'> & { held?: boolean })[];
}
const VISITED = 'ekoes.tables';

export function visited(): Visited[] {
  return stored<Visited[]>(VISITED, []);
}

export function visit(table: Visited): void {
  store(VISITED, [table, ...visited().filter(({ id }) => id !== table.id)].slice(0, 8));
}

/** The seats that this browser has, or had until a bot took them over. */
export function heldAt(table: string): number[] {
  const seats = visited().find(({ id }) => id === table)?.seats ?? [];
  return seats.flatMap(({ held }, seat) => (held ? [seat] : []));
}

/** Takes a table off the list of those that were visited. */
export function leave(table: string): void {
  store(
    VISITED,
    visited().filter(({ id }) => id !== table),
  );
}

interface Finished {
  id: string;
  game: string;
}
const FINISHED = 'ekoes.finished';
const REVIEWED = 'ekoes.reviewed';
/** So many games are played before a review is offered. */
const ENOUGH = 3;

/** Notes that a game is over in which somebody at this browser has played. */
export function noteFinished({ id, game }: Finished): void {
  const others = stored<Finished[]>(FINISHED, []).filter((one) => one.id !== id);
  store(FINISHED, [{ id, game }, ...others].slice(0, ENOUGH));
}

export function noteReviewed(id: string): void {
  store(REVIEWED, id);
}

/** The latest of some finished games, the latest first, if they are enough and it was not reviewed. */
export function toReview(games = stored<Finished[]>(FINISHED, [])): Finished | null {
  const [last] = games;
  return last && games.length >= ENOUGH && stored(REVIEWED, '') !== last.id ? last : null;
}

const LEARNED = 'ekoes.learned';
const learned = $state<Record<string, string[]>>(stored(LEARNED, {}));

/** The lessons of a game that were learned in this browser. */
export function learnedOf(game: string): readonly string[] {
  return learned[game] ?? [];
}

export function noteLearned(game: string, name: string): void {
  if (learnedOf(game).includes(name)) return;
  learned[game] = [...learnedOf(game), name];
  store(LEARNED, learned);
}
