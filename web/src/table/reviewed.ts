/** Games of the reader with what their reviews found. */
import type { LookedBack, PlayedGame } from '../protocol/messages';

export type Reviewed = Omit<PlayedGame, 'review'> & { review: LookedBack };

export const reviewedOf = (games: readonly PlayedGame[]): Reviewed[] =>
  games.filter((game): game is Reviewed => game.review !== null);

/** The middle one of some numbers; null: there are none. */
export function median(numbers: readonly number[]): number | null {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}
