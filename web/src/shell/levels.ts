/**
 * Bots of which level a reader meets: kept in this browser, for each game by itself. `levelFor` and `takeLevel` are all that knows where,
 * so that an account can keep it too.
 */
import type { GameAbout, NewTable, SeatInfo } from './protocol';
import { keep, recall } from './settings.svelte';
import type { Verdict } from './verdict';

const KEY = 'ekoes.levels';

function taken(): Record<string, string> {
  return recall(KEY, {});
}

/** The level that was taken last, else the first; the stand-in of a game without levels. */
export function levelFor({ name, levels, stand_in }: GameAbout): string {
  return levels.find((level) => level === taken()[name]) ?? levels[0] ?? stand_in;
}

export function takeLevel(game: string, level: string): void {
  keep(KEY, { ...taken(), [game]: level });
}

/** The level of some bots; null: they have none, or several. */
export function levelAmong(bots: readonly (string | null)[], levels: readonly string[]): string | null {
  const [level] = bots;
  return level != null && levels.includes(level) && bots.every((bot) => bot === level) ? level : null;
}

/** The level at a table where one person plays, here, against bots of one level; else null. */
export function levelAt(seats: readonly SeatInfo[], levels: readonly string[]): string | null {
  const bots = seats.filter(({ kind }) => kind === 'bot');
  const isAlone = seats.filter(({ yours }) => yours).length === 1 && bots.length === seats.length - 1;
  return isAlone ? levelAmong(bots.map(({ bot }) => bot), levels) : null;
}

/** What is offered after a game beside another one at the same level: the next to a winner, the one below to a loser. */
export function offeredAfter(verdict: Verdict, level: string, levels: readonly string[]): string | null {
  const step = { won: 1, lost: -1, shared: 0, nobody: 0, over: 0 }[verdict];
  return step === 0 ? null : (levels[levels.indexOf(level) + step] ?? null);
}

/** The same table again, its bots of another level. */
export function tableAt(level: string, game: string, seats: readonly SeatInfo[], options: object): NewTable {
  const same = seats.map(({ kind, name, colour }) => ({ colour, ...(kind === 'bot' ? { kind, bot: level } : { kind: 'here' as const, ...(name && { name }) }) }));
  return { game, options, seats: same };
}
