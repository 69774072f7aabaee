/** Cards in words and in rows. */
import type { Card } from './protocol';

export { isDouble, mirrorOf } from '../engine/ekko/cards';

/** Two digits; nothing where there is no card. */
export function face(card: Card | null | undefined): string {
  return card == null ? '' : String(card).padStart(2, '0');
}

/** After an odd card a higher one follows, after an even card a lower one (K2.1). */
export function isPlus(card: Card): boolean {
  return card % 2 === 1;
}

/** The number of cards in each row of a hand: as few rows as the width allows, evenly filled. Lengths in pixels. */
export function rows(count: number, width: number, least: number, gap: number): number[] {
  const most = Math.max(1, Math.floor((width + gap) / (least + gap)));
  const needed = Math.max(1, Math.ceil(count / most));
  return Array.from({ length: needed }, (_, row) => Math.floor((count + row) / needed));
}

/** Pixels: cards are 1.4 times as high as wide, and rows overlap from the third on. */
export function handHeight(lines: number, size: number): number {
  return (lines - 1) * (size * (lines > 2 ? 0.94 : 1.4) + 5) + size * 1.4 + 12;
}

/** Where a seat sits around the oval: the viewer at the bottom, the others clockwise. `x` and `y` from -1 to 1, `y` down. */
export function placeOf(seat: number, viewer: number, players: number): { x: number; y: number } {
  const steps = (seat - viewer + players) % players;
  const angle = Math.PI / 2 + (2 * Math.PI * steps) / players;
  return { x: Math.cos(angle), y: Math.sin(angle) };
}
