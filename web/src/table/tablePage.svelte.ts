import { untrack } from 'svelte';
import { notice } from '../net/notifications';
import type { Seat } from '../net/protocol';
import { setTitle } from '../ui/browser.svelte';
import { go } from '../ui/route.svelte';
import { heldAt, visit } from '../ui/settings.svelte';
import type { AnyTableState } from './table.svelte';

/** The tabs of the drawer at every table; each game adds its own. */
export type CommonTab = 'chat' | 'rules' | 'settings' | 'game';

export class DrawerState<Tab extends string> {
  tab = $state<Tab | CommonTab | null>(null);
  anchor = $state<string | null>(null);

  open(tab: Tab | CommonTab): void {
    [this.anchor, this.tab] = [null, tab];
  }
  rule(rule: string): void {
    [this.anchor, this.tab] = [rule, 'rules'];
  }
  /** Opens the menu of a person at the table. */
  person(seat: Seat): void {
    [this.anchor, this.tab] = [String(seat), 'game'];
  }
  close(): void {
    [this.tab, this.anchor] = [null, null];
  }
}

export interface PageStatus {
  title: string;
  awaited: boolean;
  says: string;
}

/**
 * Called by the page of a table as it is created. Sets the window's title, notifies when a decision is due and the page is hidden, adds
 * the table to the recent ones, and moves on to a rematch. `view`: the end of the table's address. `onend`: called when the game ends
 * while the page shows it.
 */
export function useTablePage(
  room: () => AnyTableState,
  status: () => PageStatus,
  view: () => string = () => '',
  onend: () => void = () => undefined,
): void {
  let ran = false;
  $effect(() => {
    const { state } = room();
    if (!state) return;
    if (state.outcome && ran) untrack(onend);
    ran = !state.outcome;
  });
  $effect(() => {
    const { title, awaited } = status();
    setTitle(title, awaited);
  });
  $effect(() => {
    if (status().awaited) untrack(() => notice(status().title, status().says, room().id));
  });
  $effect(() => {
    const { id, game, seats, isExhibition } = room();
    if (!id || seats.length === 0 || isExhibition) return;
    const before = heldAt(id);
    const called = seats.map(({ seat, name, colour, yours, kind }) => {
      const held = yours || (kind === 'bot' && before.includes(seat));
      return { name, colour, ...(held && { held }) };
    });
    const shared = seats.some(({ yours }) => yours) && seats.some(({ yours, kind }) => !yours && kind !== 'bot');
    untrack(() => visit({ id, game, at: new Date().toISOString(), seats: called, ...(shared && { shared }) }));
  });
  $effect(() => {
    const { agreed = [], table = null } = room().state?.rematch ?? {};
    if (table !== null && room().yours.some((seat) => agreed.includes(seat))) go(`/t/${table}${view()}`);
  });
}
