/** Random numbers for games that the page deals and whose bots it plays. */

/** A random word of 64 bits. */
export const randomWord = (): bigint => crypto.getRandomValues(new BigUint64Array(1))[0]!;

/** A random number from 0 up to below a count. */
export const below = (count: number): number => Number(randomWord() % BigInt(count));

/** Puts items in a random order. */
export function shuffle(items: unknown[]): void {
  for (let last = items.length - 1; last > 0; last--) {
    const other = below(last + 1);
    [items[last], items[other]] = [items[other], items[last]];
  }
}
