/** Geometry of pointy-top hexagons in axial coordinates (E2.1), for drawing and arrow keys. */
import type { BoardSpace, SpaceName } from './data';

/** From a hexagon's centre to its corners, in board units. */
export const SIZE = 50;
const ROOT3 = Math.sqrt(3);

export interface Point {
  x: number;
  y: number;
}
export interface Axial {
  q: number;
  r: number;
}

/** E, NE, NW, W, SW, SE (E2.1). */
export const DIRECTIONS: readonly Axial[] = [
  { q: 1, r: 0 },
  { q: 1, r: -1 },
  { q: 0, r: -1 },
  { q: -1, r: 0 },
  { q: -1, r: 1 },
  { q: 0, r: 1 },
];

export function nameOf({ q, r }: Axial): SpaceName {
  return `${q},${r}`;
}

const parsed = new Map<SpaceName, Axial>();

/** The same object each time: a board asks for its spaces again with every tap. */
export function parseSpace(name: SpaceName): Readonly<Axial> {
  let space = parsed.get(name);
  if (!space) {
    const [q = 0, r = 0] = name.split(',').map(Number);
    parsed.set(name, (space = { q, r }));
  }
  return space;
}

export function centre(space: Axial | SpaceName): Point {
  const { q, r } = typeof space === 'string' ? parseSpace(space) : space;
  return { x: SIZE * ROOT3 * (q + r / 2), y: SIZE * 1.5 * r };
}

/** The space at a point, whether or not the board has one there. */
export function spaceAt({ x, y }: Point): SpaceName {
  const r = y / (SIZE * 1.5);
  const q = x / (SIZE * ROOT3) - r / 2;
  const rounded = { q: Math.round(q), r: Math.round(r) };
  const off = { q: Math.abs(rounded.q - q), r: Math.abs(rounded.r - r), s: Math.abs(Math.round(-q - r) + q + r) };
  if (off.q > off.r && off.q > off.s) rounded.q = -rounded.r - Math.round(-q - r);
  else if (off.r > off.s) rounded.r = -rounded.q - Math.round(-q - r);
  return nameOf({ q: rounded.q + 0, r: rounded.r + 0 });
}

export function neighbour({ q, r }: Axial, direction: number): Axial {
  const step = DIRECTIONS[((direction % 6) + 6) % 6] ?? { q: 0, r: 0 };
  return { q: q + step.q, r: r + step.r };
}

/** Corner `i` of a hexagon around the origin; corners `d` and `d + 1` bound the side that faces direction `d`. */
export function corner(i: number, size = SIZE): Point {
  const angle = (Math.PI / 180) * (30 - 60 * i);
  return { x: size * Math.cos(angle), y: size * Math.sin(angle) };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

export function outline(size = SIZE, around: Point = { x: 0, y: 0 }): string {
  return [0, 1, 2, 3, 4, 5]
    .map((i) => corner(i, size))
    .map(({ x, y }) => `${round(around.x + x)},${round(around.y + y)}`)
    .join(' ');
}

/** An SVG path along the centres of spaces; it is broken where a portal leads on to a space far away. */
export function routePath(spaces: readonly SpaceName[]): string {
  const reach = SIZE * ROOT3 * 1.01;
  return spaces
    .map(centre)
    .map(({ x, y }, i, all) => {
      const before = all[i - 1];
      const goes = before !== undefined && Math.hypot(x - before.x, y - before.y) < reach;
      return `${goes ? 'L' : 'M'}${round(x)} ${round(y + 4)}`;
    })
    .join('');
}

/**
 * An SVG path along the sides whose neighbour belongs to another area. `directions`: of the sides that are drawn. `size`: less than a
 * hexagon's, for lines within the area. `depth`: the sides as walls that reach so far down.
 */
export function borderPath(
  spaces: readonly Axial[],
  differs: (space: Axial, other: Axial) => boolean,
  { directions = [0, 1, 2, 3, 4, 5], size = SIZE, depth = 0 } = {},
): string {
  const parts: string[] = [];
  for (const space of spaces) {
    const { x, y } = centre(space);
    for (const d of directions) {
      if (!differs(space, neighbour(space, d))) continue;
      const [a, b] = [corner(d, size), corner(d + 1, size)];
      parts.push(`M${round(x + a.x)} ${round(y + a.y)}L${round(x + b.x)} ${round(y + b.y)}`);
      if (depth) parts.push(`v${depth}L${round(x + a.x)} ${round(y + a.y + depth)}Z`);
    }
  }
  return parts.join('');
}

/** Which of `n` pictures a space has, so that neighbours look different; svg.py chooses by the same rule. */
export function variantOf({ q, r }: Axial, n: number): number {
  return ((((q * 5) ^ (r * 9)) % n) + n) % n;
}

export interface Extent {
  x: number;
  y: number;
  width: number;
  height: number;
}

export function extent(spaces: readonly Axial[], margin = 14): Extent {
  const points = spaces.map(centre);
  const xs = points.map((p) => p.x);
  const ys = points.map((p) => p.y);
  const half = (SIZE * ROOT3) / 2;
  const left = Math.min(...xs) - half - margin;
  const top = Math.min(...ys) - SIZE - margin;
  return {
    x: left,
    y: top,
    width: Math.max(...xs) + half + margin - left,
    height: Math.max(...ys) + SIZE + margin - top,
  };
}

/** The middle of some points; of the centres of three mutually adjacent spaces, the point that they share. */
export function middle(points: readonly Point[]): Point {
  const n = points.length || 1;
  return { x: points.reduce((sum, p) => sum + p.x, 0) / n, y: points.reduce((sum, p) => sum + p.y, 0) / n };
}

export type Arrow = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown';
const HEADING: Record<Arrow, Point> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/**
 * The space an arrow key leads to: the nearest one within that direction's quarter, straight ahead preferred; null at the edge. Every
 * space of a board can be reached, holes included.
 */
export function step(spaces: readonly BoardSpace[], from: SpaceName, arrow: Arrow): SpaceName | null {
  const start = centre(from);
  const heading = HEADING[arrow];
  let best: { space: SpaceName; cost: number } | null = null;
  for (const { space } of spaces) {
    const to = centre(space);
    const ahead = (to.x - start.x) * heading.x + (to.y - start.y) * heading.y;
    const aside = Math.abs((to.x - start.x) * heading.y + (to.y - start.y) * heading.x);
    if (ahead < 1 || aside > ahead + 0.1) continue;
    // Prefers the left or upper of two equally near spaces, so that the keys are predictable.
    const cost = ahead + aside + (to.x + to.y) * 1e-6;
    if (!best || cost < best.cost) best = { space, cost };
  }
  return best?.space ?? null;
}
