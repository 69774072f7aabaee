/** Games that this page plays without a server, in the storage of this browser. */
import { createStore, get, set, type UseStore } from 'idb-keyval';
import { randomKey } from './socket';

const MARK = 'device';

let games: UseStore | null = null;
const store = (): UseStore => (games ??= createStore('ekoes', 'games'));

/** An id for a new game, which says where it is and which game it is. */
export const newId = (game: string): string => `${MARK}-${game}-${randomKey()}`;

/** The game that a table of this browser plays; null: it is a table of the server. */
export function gameOnDevice(id: string): string | null {
  const [mark, game] = id.split('-');
  return mark === MARK ? (game ?? null) : null;
}

export const keep = (id: string, game: object): Promise<void> => set(id, game, store());
export const kept = <Kept>(id: string): Promise<Kept | undefined> => get<Kept>(id, store());
