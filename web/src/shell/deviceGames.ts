/** Games that this page plays without a server, in the storage of this browser. */
import { createStore, get, set, type UseStore } from 'idb-keyval';

let games: UseStore | null = null;
const store = (): UseStore => (games ??= createStore('ekoes', 'games'));

export const keep = (id: string, game: object): Promise<void> => set(id, game, store());
export const kept = <Kept>(id: string): Promise<Kept | undefined> => get<Kept>(id, store());
