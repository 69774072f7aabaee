import { describe, expect, it } from 'vitest';
import type { BoardData, BoardSpace } from './data';
import { rim, spaceName } from './names';

const space = (name: string, q: number, r: number): BoardSpace => ({
  space: `${q},${r}`,
  name,
  q,
  r,
  terrain: 'sand',
  tile: 0,
});
const SPACES = [space('a2', 0, -1), space('a3', 1, -1), space('b1', -1, 0), space('b2', 0, 0), space('b3', 1, 0)];
const BOARD: BoardData = { spaces: SPACES, tiles: [], portals: [], pyramids: [], beacons: [] };

describe('the names of spaces', () => {
  it('are the board’s own', () => {
    expect(spaceName(BOARD, '1,-1')).toBe('a3');
  });
  it('are coordinates where the board has no such space, or is not there yet', () => {
    expect([spaceName(BOARD, '7,7'), spaceName(null, '0,0')]).toEqual(['7,7', '0,0']);
  });
  it('stand at the rim once for each row and each diagonal, where it begins', () => {
    expect(rim(SPACES).rows).toEqual([
      { text: 'a', q: 0, r: -1 },
      { text: 'b', q: -1, r: 0 },
    ]);
    expect(rim(SPACES).diagonals.map(({ text, r }) => `${text} in ${r}`)).toEqual(['2 in -1', '3 in -1', '1 in 0']);
  });
});
