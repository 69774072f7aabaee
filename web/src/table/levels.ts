/** The level of the bots a player meets, stored in this browser for each game. */

import type { NewTable, SeatInfo } from '../net/protocol';
import type { GameInfo } from '../protocol/messages';
import { store, stored } from '../ui/settings.svelte';
import type { Verdict } from './results';

const KEY = 'ekoes.levels';

function taken(): Record<string, string> {
  return stored(KEY, {});
}

export function levelFor({ name, levels, stand_in }: GameInfo): string {
  return levels.find((level) => level === taken()[name]) ?? levels[0] ?? stand_in;
}

export function takeLevel(game: string, level: string): void {
  store(KEY, { ...taken(), [game]: level });
}

/** null: several levels, or none. */
export function levelAmong(bots: readonly (string | null)[], levels: readonly string[]): string | null {
  const [level] = bots;
  return level != null && levels.includes(level) && bots.every((bot) => bot === level) ? level : null;
}

/** The level of the bots, only where one person plays alone against bots of one level. */
export function levelAt(seats: readonly SeatInfo[], levels: readonly string[]): string | null {
  const bots = seats.filter(({ kind }) => kind === 'bot');
  const isAlone = seats.filter(({ yours }) => yours).length === 1 && bots.length === seats.length - 1;
  return isAlone
    ? levelAmong(
        bots.map(({ bot }) => bot),
        levels,
      )
    : null;
}

/** The next level for a winner, the one below for a loser. */
export function offeredAfter(verdict: Verdict, level: string, levels: readonly string[]): string | null {
  const step = { won: 1, lost: -1, shared: 0, over: 0 }[verdict];
  return step === 0 ? null : (levels[levels.indexOf(level) + step] ?? null);
}

/** A new table like a played one, with bots of another level. `options`: of the played one, with `deal`, which nobody chooses. */
export function tableAt(level: string, game: string, seats: readonly SeatInfo[], options: object): NewTable {
  const same = seats.map(({ kind, name, colour }) => ({
    colour,
    ...(kind === 'bot' ? { kind, bot: level } : { kind: 'here' as const, ...(name && { name }) }),
  }));
  const chosen = Object.fromEntries(Object.entries(options).filter(([name]) => name !== 'deal'));
  return { game, options: chosen, seats: same };
}
