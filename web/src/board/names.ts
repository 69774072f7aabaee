/** Names of spaces such as `c5`; the server sends them with the board (E2.1). */
import type { BoardData, BoardSpace, SpaceName } from './data';

export function spaceName(board: BoardData | null, space: SpaceName): string {
  return board?.spaces.find((one) => one.space === space)?.name ?? space;
}

interface Label {
  text: string;
  q: number;
  r: number;
}

/** The letter of each row at its first space, and the number of each diagonal at its highest. */
export function rim(spaces: readonly BoardSpace[]): { rows: Label[]; diagonals: Label[] } {
  const [rows, diagonals] = [new Map<number, BoardSpace>(), new Map<number, BoardSpace>()];
  for (const space of spaces) {
    if (space.q < (rows.get(space.r)?.q ?? Infinity)) rows.set(space.r, space);
    if (space.r < (diagonals.get(space.q)?.r ?? Infinity)) diagonals.set(space.q, space);
  }
  const label =
    (part: RegExp) =>
    ({ name, q, r }: BoardSpace): Label => ({ text: part.exec(name)?.[0] ?? '', q, r });
  return { rows: [...rows.values()].map(label(/^[a-z]+/)), diagonals: [...diagonals.values()].map(label(/\d+$/)) };
}
