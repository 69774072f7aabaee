/** The address of an analysis board: a table with the number of decisions, a compressed record, or one in the storage of the tab. */
import { pack } from '../../ui/packed';
import { store, stored } from '../../ui/settings.svelte';

/** Characters of an address that programs and servers in between pass on. */
const LONGEST = 6000;
const STORED = 'ekoes.analysis.';
const LATEST = 'ekoes.analysis';
/** The query of the form that starts a board. */
export const NEW = 'new';

export const ofTable = (game: string, id: string, n: number): string => `/${game}/analysis?table=${id}&n=${n}`;

export const ofRecord = async (game: string, record: string): Promise<string> =>
  `/${game}/analysis?record=${await pack(record)}`;

/** `id`: of the table that the board came from. `at`: the number of the shown node. */
export async function ofBoard(
  game: string,
  record: string,
  id: string | null = null,
  at: number | null = null,
): Promise<{ address: string; isLink: boolean }> {
  const more = `${id === null ? '' : `&table=${id}`}${at === null ? '' : `&at=${at}`}`;
  const link = (await ofRecord(game, record)) + more;
  if (link.length <= LONGEST) return { address: link, isLink: true };
  const name = new URLSearchParams(location.search).get('tab') ?? Date.now().toString(36);
  sessionStorage.setItem(STORED + name, record);
  return { address: `/${game}/analysis?tab=${name}${more}`, isLink: false };
}

/** The query of the board of a game that was used last and came from no table; null: none. */
export const latestOf = (game: string): string | null => stored<Record<string, string>>(LATEST, {})[game] ?? null;

export function noteLatest(game: string, address: string): void {
  store(LATEST, { ...stored(LATEST, {}), [game]: new URL(address, location.href).search.slice(1) });
}

/** The record in the storage of the tab; throws if there is none. */
export function recordOfTab(name: string): string {
  const record = sessionStorage.getItem(STORED + name);
  if (record === null) throw new Error('no such record');
  return record;
}
