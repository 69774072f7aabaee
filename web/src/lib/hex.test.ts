import { describe, expect, it } from 'vitest';
import { type Arrow, borderPath, centre, corner, DIRECTIONS, nameOf, neighbour, parseSpace, spaceAt, step } from './hex';
import type { BoardSpace } from './protocol';

/** A disc of spaces around the origin. */
function around(radius: number): BoardSpace[] {
  const spaces: BoardSpace[] = [];
  for (let q = -radius; q <= radius; q++)
    for (let r = -radius; r <= radius; r++)
      if (Math.abs(q + r) <= radius) spaces.push({ space: nameOf({ q, r }), q, r, terrain: 'sand', tile: 0 });
  return spaces;
}

describe('hexagons', () => {
  it('reads and writes names of spaces', () => {
    for (const { space } of around(3)) expect(nameOf(parseSpace(space))).toBe(space);
  });

  it('finds the space under its centre and just inside its corners', () => {
    for (const { space } of around(3)) {
      const { x, y } = centre(space);
      expect(spaceAt({ x, y })).toBe(space);
      for (let i = 0; i < 6; i++) {
        const { x: dx, y: dy } = corner(i);
        expect(spaceAt({ x: x + 0.95 * dx, y: y + 0.95 * dy })).toBe(space);
      }
    }
  });

  it('goes east, then against the clock, and back by the opposite direction', () => {
    expect(DIRECTIONS.map((_, d) => nameOf(neighbour({ q: 0, r: 0 }, d)))).toEqual([
      '1,0',
      '1,-1',
      '0,-1',
      '-1,0',
      '-1,1',
      '0,1',
    ]);
    for (let d = 0; d < 6; d++) expect(neighbour(neighbour({ q: 2, r: -1 }, d), d + 3)).toEqual({ q: 2, r: -1 });
  });

  it('puts the side that faces a direction between two corners', () => {
    for (let d = 0; d < 6; d++) {
      const [a, b] = [corner(d), corner(d + 1)];
      const beside = centre(neighbour({ q: 0, r: 0 }, d));
      expect(a.x + b.x).toBeCloseTo(beside.x, 6);
      expect(a.y + b.y).toBeCloseTo(beside.y, 6);
    }
  });

  it('outlines an area along its outer sides alone', () => {
    const area = around(1);
    const inside = new Set(area.map(({ space }) => space));
    const path = borderPath(area, (_, other) => !inside.has(nameOf(other)));
    expect(path.match(/M/g)).toHaveLength(18);
  });
});

describe('arrow keys', () => {
  const ARROWS: Arrow[] = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'];

  it('lead left and right along a row', () => {
    const board = around(2);
    expect(step(board, '0,0', 'ArrowRight')).toBe('1,0');
    expect(step(board, '0,0', 'ArrowLeft')).toBe('-1,0');
    expect(step(board, '2,0', 'ArrowRight')).toBeNull();
  });

  it('reach every space, over a hole too', () => {
    const board = around(3).filter(({ space }) => !['0,0', '1,0', '0,1'].includes(space));
    const reached = new Set(['3,0']);
    for (const space of reached)
      for (const arrow of ARROWS) {
        const next = step(board, space, arrow);
        if (next !== null) reached.add(next);
      }
    expect([...reached].sort()).toEqual(board.map(({ space }) => space).sort());
  });
});
