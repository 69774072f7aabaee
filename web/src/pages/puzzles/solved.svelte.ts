/** What was solved of the puzzles of a game, and on how many days in a row the daily one: by a guest, in this browser, and by an account, on the server. */
import { untrack } from 'svelte';
import { signedIn } from '../../net/account.svelte';
import { ask } from '../../net/api';
import type { PuzzleProgress } from '../../protocol/messages';
import { store, stored } from '../../ui/settings.svelte';

interface Progress {
  solved: string[];
  /** The theme of the next puzzles; null: any. */
  theme: string | null;
  /** The day of the latest daily puzzle, and how many days in a row ended with it. */
  day: string;
  streak: number;
}

const KEY = 'ekoes.puzzles';
const NONE: Progress = { solved: [], theme: null, day: '', streak: 0 };
const DAY = 86_400_000;

const progress = $state<Record<string, Progress>>(stored(KEY, {}));

export function progressOf(game: string): Readonly<Progress> {
  return progress[game] ?? NONE;
}

function change(game: string, by: Partial<Progress>): void {
  progress[game] = { ...progressOf(game), ...by };
  store(KEY, progress);
}

export function chooseTheme(game: string, theme: string | null): void {
  change(game, { theme });
}

/** `daily`: it is the puzzle of the day. */
export function noteSolved(game: string, id: string, daily: boolean, now = Date.now()): void {
  const { solved, day, streak } = progressOf(game);
  if (!solved.includes(id)) change(game, { solved: [...solved, id] });
  const today = dayOf(now);
  if (daily && day !== today) change(game, { day: today, streak: day === dayOf(now - DAY) ? streak + 1 : 1 });
}

/** How many days in a row, until yesterday or today. */
export function streakOf(game: string, now = Date.now()): number {
  const { day, streak } = progressOf(game);
  return day === dayOf(now) || day === dayOf(now - DAY) ? streak : 0;
}

/** The server's day is UTC's too. */
function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** By account and game. */
let ofAccounts = $state.raw<Record<string, PuzzleProgress>>({});
const keyOf = (game: string): string => `${signedIn()}/${game}`;

/** null: a guest, or not known yet. */
export function accountOf(game: string): PuzzleProgress | null {
  return signedIn() ? (ofAccounts[keyOf(game)] ?? null) : null;
}

/** Asks what the account has solved. What the browser's guest had solved before becomes the account's. */
export function loadAccountOf(game: string): void {
  untrack(() => {
    const [key, { solved, day }, streak, today] = [keyOf(game), progressOf(game), streakOf(game), dayOf(Date.now())];
    const answer =
      solved.length > 0
        ? ask<PuzzleProgress>(`/api/${game}/puzzles/solved`, { solved, streak, today: day === today })
        : ask<PuzzleProgress>(`/api/${game}/puzzles/progress`);
    answer.then(
      (found) => {
        if (solved.length > 0) change(game, { solved: [], day: '', streak: 0 });
        ofAccounts = { ...ofAccounts, [key]: found };
      },
      () => undefined,
    );
  });
}
