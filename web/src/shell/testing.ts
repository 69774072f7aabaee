/** For tests: builds the messages of a server. */
import { checksum, type Change } from './diff';
import type { Update } from './protocol';

/** `own`: the keys that are not shared. */
export function updateTo<State extends object, Entry>(
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
