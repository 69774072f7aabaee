/** Geometry of placed tiles: their spaces, the board that they draw, and a free place for another one. */
import { type Axial, DIRECTIONS, nameOf, neighbour } from '../../board/hex';
import type { Box, BoxTile } from '../../engine/eko/examine';
import type { BoardData, BoardSpace, SpaceName, Terrain } from '../protocol';

/** A tile with its origin, turned counter-clockwise by steps of 60° (E2.2). */
export type Placed = readonly [tile: string, q: number, r: number, rot: number];

export type { Box };
export type Tile = BoxTile;

export const TURNS = DIRECTIONS.length;

export function turned({ q, r }: Axial, rot: number): Axial {
  let at = { q, r };
  for (let i = 0; i < rot; i++) at = { q: at.q + at.r, r: -at.q };
  return { q: at.q + 0, r: at.r + 0 };
}

export function cellsOf(tile: Tile, [, q, r, rot]: Placed): (Axial & { terrain: Terrain })[] {
  return tile.cells.map(([dq, dr, terrain]) => {
    const off = turned({ q: dq, r: dr }, rot);
    return { q: q + off.q, r: r + off.r, terrain };
  });
}

export function tileOf(box: Box, name: string): Tile | undefined {
  return box.tiles.find((tile) => tile.name === name);
}

/** What is drawn of any tiles; of two that overlap the first one is on top, as in the rules. */
export function boardOf(box: Box, tiles: readonly Placed[]): BoardData {
  const spaces = new Map<SpaceName, BoardSpace>();
  const board: BoardData = {
    spaces: [],
    tiles: tiles.map(([name, q, r, rot]) => [name, q, r, rot]),
    portals: [],
  };
  tiles.forEach((placed, number) => {
    const tile = tileOf(box, placed[0]);
    if (!tile) return;
    const cells = cellsOf(tile, placed);
    for (const { q, r, terrain } of cells) {
      const space = nameOf({ q, r });
      if (spaces.has(space)) continue;
      spaces.set(space, { space, name: space, q, r, terrain, tile: number });
      if (terrain !== 'portal') continue;
      const direction = (tile.open + placed[3]) % TURNS;
      board.portals.push({ space, direction, front: nameOf(neighbour({ q, r }, direction)) });
    }
    if (tile.sign) (board[`${tile.sign}s`] ??= []).push(cells.map(nameOf));
  });
  board.spaces = [...spaces.values()];
  return board;
}

/** How far from the origin a free place is looked for. */
const FAR = 14;

/** A place where a tile overlaps none and touches as many spaces as possible, near the origin. */
export function freePlace(box: Box, tiles: readonly Placed[], tile: Tile, rot = 0): Placed {
  const taken = new Set(boardOf(box, tiles).spaces.map(({ space }) => space));
  let best: Placed = [tile.name, 0, 0, rot];
  let most = -Infinity;
  for (let q = -FAR; q <= FAR; q++) {
    for (let r = -FAR; r <= FAR; r++) {
      const placed: Placed = [tile.name, q, r, rot];
      const cells = cellsOf(tile, placed);
      if (cells.some((cell) => taken.has(nameOf(cell)))) continue;
      const touching = cells
        .flatMap((cell) => DIRECTIONS.map((_, direction) => nameOf(neighbour(cell, direction))))
        .filter((space) => taken.has(space)).length;
      const worth = touching - (Math.abs(q) + Math.abs(r) + Math.abs(q + r)) / 4;
      if (worth > most) [best, most] = [placed, worth];
    }
  }
  return best;
}
