/** The shapes of terrains, buildings and signs, from the file that the server's pictures are drawn from too. */
import shapes from '../../../src/ekoes/games/eko/symbols.json';
import type { Kind, Terrain } from './data';

/** A colour of the theme by its name, a literal one, or a mixture: colour, per cent, other colour. */
type Paint = string | readonly [string, number, string];

/** A path with its SVG attributes. */
export interface Part {
  d: string;
  fill?: Paint;
  stroke?: Paint;
}

interface Symbols {
  terrains: Record<Terrain, { ground: string; raised: boolean; reliefs: readonly (readonly Part[])[] }>;
  buildings: Record<Kind, readonly Part[]>;
  signs: Record<'pyramid' | 'beacon', readonly Part[]>;
}

export const SYMBOLS = shapes as unknown as Symbols;

/** A paint in CSS. */
export function css(paint: Paint | undefined): string | undefined {
  if (paint === undefined) return undefined;
  if (typeof paint !== 'string') return `color-mix(in srgb, ${css(paint[0])} ${paint[1]}%, ${css(paint[2])})`;
  return /^(?:#|none$|url)/.test(paint) ? paint : `var(--${paint})`;
}
