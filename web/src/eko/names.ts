/** What people call the spaces of a board, such as `c5`; the server says it with the board (E2.1). */
import type { BoardData, BoardSpace, SpaceName } from './protocol';

const known = new WeakMap<BoardData, ReadonlyMap<SpaceName, string>>();

function namesOf(board: BoardData): ReadonlyMap<SpaceName, string> {
  const names = known.get(board) ?? new Map(board.spaces.map(({ space, name }) => [space, name]));
  known.set(board, names);
  return names;
}

/** The name of a space; its coordinates where there is no such space. */
export function spaceName(board: BoardData | null, space: SpaceName): string {
  return (board && namesOf(board).get(space)) ?? space;
}

/** A label at the board's rim: a row's letter or a diagonal's number, beside the space where it begins. */
export interface Label {
  text: string;
  q: number;
  r: number;
}

/** The letters of the rows, each at its first space, and the numbers of the diagonals, each at its highest. */
export function rim(spaces: readonly BoardSpace[]): { rows: Label[]; diagonals: Label[] } {
  const [rows, diagonals] = [new Map<number, BoardSpace>(), new Map<number, BoardSpace>()];
  for (const space of spaces) {
    if (space.q < (rows.get(space.r)?.q ?? Infinity)) rows.set(space.r, space);
    if (space.r < (diagonals.get(space.q)?.r ?? Infinity)) diagonals.set(space.q, space);
  }
  const label = (part: RegExp) => ({ name, q, r }: BoardSpace): Label => ({ text: part.exec(name)?.[0] ?? '', q, r });
  return { rows: [...rows.values()].map(label(/^[a-z]+/)), diagonals: [...diagonals.values()].map(label(/\d+$/)) };
}
