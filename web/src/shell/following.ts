/** What comes of playing a copy of a table on, told to the page of its game as the server tells of a real one. */
import { checksum, type Change } from './difference';
import type { WholeTable } from './protocol';

/** A table of any game. */
export type AnyTable = WholeTable<unknown, Record<string, unknown>, unknown>;

/** A table as an update of an earlier one, so that what happened is seen to move. */
export function following(before: AnyTable, { version, state, own, log }: AnyTable): object {
  const gone = Object.keys(before.state).filter((key) => !(key in state));
  const change: Change = Object.fromEntries([...Object.entries(state).map(([key, value]): [string, Change] => [key, [value]]), ...gone.map((key): [string, Change] => [key, null])]);
  return { type: 'update', version, base: before.version, change, check: checksum(state), ...(own && { own }), keep: before.log.length, entries: log.slice(before.log.length) };
}
