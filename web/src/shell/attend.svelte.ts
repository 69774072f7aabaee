/** What every page of a table does beside drawing it. */
import { untrack } from 'svelte';
import { notice } from './notify';
import { withNetwork } from './online.svelte';
import { go } from './route.svelte';
import { nameOf, type Room } from './seats';
import { visit } from './settings.svelte';
import { entitle } from './title';

/** What the window's title says, and whether a decision is awaited here. */
export interface Told {
  title: string;
  awaited: boolean;
  /** What is awaited, in a sentence. */
  says: string;
}

/**
 * Keeps the window's title, has the system tell of a decision that is awaited while nobody looks, remembers the table
 * among this browser's own, takes the line for lost when the network is away and tries it at once when it is back, and goes on
 * to the rematch as soon as there is one, looked at as this table is (`view`: the end of its address). Called while a page is made.
 */
export function attend(room: () => Room, told: () => Told, view: () => string = () => ''): void {
  $effect(() => {
    const { title, awaited } = told();
    entitle(title, awaited);
  });
  $effect(() => {
    if (told().awaited) untrack(() => notice(told().title, told().says, room().id));
  });
  $effect(() => {
    const { id, game, seats } = room();
    const names = seats.map(({ seat }) => nameOf(seats, seat));
    if (id && names.length > 0) untrack(() => visit({ id, game, at: new Date().toISOString(), names }));
  });
  $effect(() => withNetwork(room));
  $effect(() => {
    const { agreed = [], table = null } = room().state?.rematch ?? {};
    if (table !== null && room().yours.some((seat) => agreed.includes(seat))) go(`/t/${table}${view()}`);
  });
}
