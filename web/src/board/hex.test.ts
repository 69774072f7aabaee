import { describe, expect, it } from 'vitest';
import type { BoardSpace } from './data';
import { type Arrow, centre, corner, extent, middle, neighbour, parseSpace, routePath, spaceAt, step } from './hex';

function disc(radius: number): BoardSpace[] {
  const spaces: BoardSpace[] = [];
  for (let q = -radius; q <= radius; q++)
    for (let r = -radius; r <= radius; r++)
      if (Math.abs(q + r) <= radius)
        spaces.push({ space: `${q},${r}`, name: `${q},${r}`, q, r, terrain: 'sand', tile: 0 });
  return spaces;
}

describe('spaces and points', () => {
  it('finds every space again at its centre and near its corners', () => {
    for (const { space } of disc(4)) {
      const { x, y } = centre(space);
      expect(spaceAt({ x, y })).toBe(space);
      for (let i = 0; i < 6; i++) {
        const { x: dx, y: dy } = corner(i, 48);
        expect(spaceAt({ x: x + dx, y: y + dy })).toBe(space);
      }
    }
  });

  it('puts the side between corners d and d + 1 toward direction d', () => {
    for (let d = 0; d < 6; d++) {
      const [a, b, to] = [corner(d), corner(d + 1), centre(neighbour({ q: 0, r: 0 }, d))];
      expect((a.x + b.x) / 2).toBeCloseTo(to.x / 2);
      expect((a.y + b.y) / 2).toBeCloseTo(to.y / 2);
    }
  });

  it('shares one point among three adjacent spaces', () => {
    const point = middle(['0,0', '1,0', '0,1'].map(centre));
    for (const space of ['0,0', '1,0', '0,1']) {
      const { x, y } = centre(space);
      expect(Math.hypot(point.x - x, point.y - y)).toBeCloseTo(50);
    }
  });

  it('encloses all spaces', () => {
    const { x, y, width, height } = extent(disc(3), 0);
    for (const { space } of disc(3)) {
      const at = centre(space);
      expect(at.x - x).toBeGreaterThan(43);
      expect(x + width - at.x).toBeGreaterThan(43);
      expect(at.y - y).toBeGreaterThanOrEqual(50);
      expect(y + height - at.y).toBeGreaterThanOrEqual(50);
    }
  });
});

describe('a route', () => {
  it('follows the spaces, and leaves out the way between two portals', () => {
    expect(routePath(['0,0', '1,0', '1,-1'])).toBe('M0 4L86.6 4L43.3 -71');
    expect(routePath(['0,0', '1,0', '3,-2', '3,-1']).match(/[ML]/g)).toEqual(['M', 'L', 'M', 'L']);
  });
});

describe('arrow keys', () => {
  const ARROWS: Arrow[] = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'];

  function reached(spaces: BoardSpace[]): Set<string> {
    const found = new Set([spaces[0]?.space ?? '']);
    for (const from of found)
      for (const arrow of ARROWS) {
        const to = step(spaces, from, arrow);
        if (to) found.add(to);
      }
    return found;
  }

  it('go straight along a row', () => {
    expect(step(disc(2), '0,0', 'ArrowRight')).toBe('1,0');
    expect(step(disc(2), '0,0', 'ArrowLeft')).toBe('-1,0');
  });

  it('go one row up or down', () => {
    expect(parseSpace(step(disc(2), '0,0', 'ArrowUp') ?? '').r).toBe(-1);
    expect(parseSpace(step(disc(2), '0,0', 'ArrowDown') ?? '').r).toBe(1);
  });

  it('stop at the edge', () => {
    expect(step(disc(2), '2,0', 'ArrowRight')).toBeNull();
  });

  it('reach every space, over holes too', () => {
    const holes = new Set(['0,0', '1,-1', '-1,0', '2,-2']);
    const spaces = disc(4).filter(({ space }) => !holes.has(space));
    expect(reached(spaces).size).toBe(spaces.length);
  });
});
