/** How a game went: points over time, and what turned it. */
import type { Entry, Options, Player } from './protocol';

/** The points of each seat before the first decision and after each, told backwards from those of now. */
export function pointsOverTime(log: readonly Entry[], players: readonly Player[]): number[][] {
  return players.map(({ points }, seat) => {
    const values = [points.total];
    for (const entry of [...log].reverse()) values.unshift((values[0] ?? 0) - (entry.points?.[seat] ?? 0));
    return values;
  });
}

/** The decision that moved most points, the latest of equal ones; null where none moved any. */
export function turningPoint(log: readonly Entry[]): Entry | null {
  const weight = ({ points = [] }: Entry): number => points.reduce((sum, change) => sum + Math.abs(change), 0);
  const heaviest = log.reduce<Entry | null>((best, entry) => (weight(entry) >= (best ? weight(best) : 1) ? entry : best), null);
  return heaviest;
}

/** The options of a game again, on a new board. */
export function freshOptions({ players, variants, setup, clock }: Options): Options {
  return { players, variants, setup, ...(clock && { clock }) };
}
