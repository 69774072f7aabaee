/** The shapes of terrains, buildings and signs, from the file that the server's pictures are drawn from too. */
import shapes from '../../../src/ekoes/games/eko/symbols.json';
import type { BoardData, Kind, SignKind, SpaceName, Terrain } from './data';

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
  /** worth: the points that one gives. */
  signs: Record<SignKind, { worth: number; shape: readonly Part[] }>;
  /** What each variant brings, in the order of their rules: E10.1, E10.2, … */
  variants: Record<Variant, Terrain | SignKind>;
}
export type Variant = keyof typeof shapes.variants;

export const SYMBOLS = shapes as unknown as Symbols;
/** In the order of a legend. */
export const TERRAINS = Object.keys(SYMBOLS.terrains) as Terrain[];
export const SIGNS = Object.keys(SYMBOLS.signs) as SignKind[];
export const VARIANTS: readonly { name: Variant; rule: string; terrain: Terrain; sign?: SignKind }[] = Object.entries(
  SYMBOLS.variants,
).map(([name, brings], place) => ({
  name: name as Variant,
  rule: `E10.${place + 1}`,
  ...(brings in SYMBOLS.signs ? { terrain: 'tempest', sign: brings as SignKind } : { terrain: brings as Terrain }),
}));

/** The signs on a board, each with the spaces around it. */
export function signsOn(board: BoardData): { sign: SignKind; spaces: readonly SpaceName[] }[] {
  return SIGNS.flatMap((sign) => (board[`${sign}s`] ?? []).map((spaces) => ({ sign, spaces })));
}

/** A paint in CSS. */
export function css(paint: Paint | undefined): string | undefined {
  if (paint === undefined) return undefined;
  if (typeof paint !== 'string') return `color-mix(in srgb, ${css(paint[0])} ${paint[1]}%, ${css(paint[2])})`;
  return /^(?:#|none$|url)/.test(paint) ? paint : `var(--${paint})`;
}
