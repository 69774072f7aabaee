/** For tests: what a server says of two states, one after the other. */
import { checksum, type Change } from './difference';
import type { Update } from './protocol';

/** The update that leads to a state: all of it anew. `own`: the keys that are not everybody's. */
export function told<State extends object, Entry>(
  state: State,
  versions: { version: number; base: number },
  log: { keep: number; entries: Entry[] },
  own: readonly string[] = [],
): Update<State, Entry> {
  const parts = Object.entries(state) as [string, unknown][];
  const shared = parts.filter(([key]) => !own.includes(key));
  const change: Change = Object.fromEntries([...own.map((key): [string, Change] => [key, null]), ...shared.map(([key, value]): [string, Change] => [key, [value]])]);
  const mine = Object.fromEntries(parts.filter(([key]) => own.includes(key))) as Partial<State>;
  return { type: 'update', ...versions, change, check: checksum(Object.fromEntries(shared)), ...log, own: mine };
}
