/** Games that this page plays without a server, in the storage of this browser. */
import { createStore, del, get, set, type UseStore } from 'idb-keyval';
import { leave } from '../ui/settings.svelte';

let games: UseStore | null = null;
const store = (): UseStore => (games ??= createStore('ekoes', 'games'));

export const keep = (id: string, game: object): Promise<void> => set(id, game, store());
/** The game is now elsewhere. */
export async function forget(id: string): Promise<void> {
  leave(id);
  await del(id, store());
}
export const kept = <Kept>(id: string): Promise<Kept | undefined> => get<Kept>(id, store());
