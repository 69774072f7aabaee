/** What is printed on each of the 98 cards (K1.1). */

/** Multiples of 11 (K2.3). */
export function isDouble(card: number): boolean {
  return card % 11 === 0;
}

/** The small number printed on the card; null on multiples of 11, which have none (K3.1). */
export function mirrorOf(card: number): number | null {
  return isDouble(card) ? null : (card % 10) * 10 + Math.floor(card / 10);
}
