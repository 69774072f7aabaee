/** The address of an analysis board: a table with the number of decisions, a compressed record, or one in the storage of the tab. */
import { pack } from '../../ui/packed';

/** Characters of an address that programs and servers in between pass on. */
const LONGEST = 6000;
const STORED = 'ekoes.analysis.';

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

/** The record in the storage of the tab; throws if there is none. */
export function recordOfTab(name: string): string {
  const record = sessionStorage.getItem(STORED + name);
  if (record === null) throw new Error('no such record');
  return record;
}
