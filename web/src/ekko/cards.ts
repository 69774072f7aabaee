/** The faces of the cards: what is printed on each of the 98 (K1.1). Knows no rules of play. */
import type { Card } from './protocol';

/** The number as it is printed, with two digits. */
export function face(card: Card): string {
  return String(card).padStart(2, '0');
}

/** The sign: after an odd card a higher one follows, after an even card a lower one (K2.1). */
export function sign(card: Card): '+' | '−' {
  return card % 2 ? '+' : '−';
}

/** Whether the card is a multiple of 11 (K2.3). */
export function isDouble(card: Card): boolean {
  return card % 11 === 0;
}

/** The mirror number printed small on the card, or null on multiples of 11, which have none (K3.1). */
export function mirrorOf(card: Card): Card | null {
  return isDouble(card) ? null : (card % 10) * 10 + Math.floor(card / 10);
}

/** How many cards stand in each row of a hand: as few rows as the width allows, evenly filled. Lengths in pixels. */
export function rows(count: number, width: number, least: number, gap: number): number[] {
  const most = Math.max(1, Math.floor((width + gap) / (least + gap)));
  const needed = Math.max(1, Math.ceil(count / most));
  return Array.from({ length: needed }, (_, row) => Math.floor((count + row) / needed));
}

/** How high a hand of some rows stands, in pixels: cards 1.4 times as high as wide, and rows that overlap from the third on. */
export function handHeight(lines: number, size: number): number {
  return (lines - 1) * (size * (lines > 2 ? 0.94 : 1.4) + 5) + size * 1.4 + 12;
}

/** Where a seat sits around the oval: the eye at the bottom, the others clockwise. `x`, `y` from -1 to 1, `y` down. */
export function placeOf(seat: number, eye: number, players: number): { x: number; y: number } {
  const steps = (seat - eye + players) % players;
  const angle = Math.PI / 2 + (2 * Math.PI * steps) / players;
  return { x: Math.cos(angle), y: Math.sin(angle) };
}
