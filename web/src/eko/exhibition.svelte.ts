/** The chances in an exhibition, a game of bots, as this page judges them; it says nothing about games of people before their end. */
import { searches } from './engine';
import type { EkoTableState } from './table.svelte';

/** Seconds for which a position is searched. */
const SECONDS = 0.4;

export class LiveChances {
  /** By seat, 0 to 1; null: there is nothing to say. */
  value = $state.raw<readonly number[] | null>(null);

  /** Follows the table until its component is gone. */
  constructor(table: EkoTableState) {
    $effect(() => {
      const { state, isExhibition } = table;
      if (!isExhibition || !state || state.outcome) {
        this.value = null;
        return;
      }
      const ended = new AbortController();
      const wanted = { seconds: SECONDS, lines: 1 };
      searches().then(
        (workers) => {
          if (ended.signal.aborted) return;
          workers.search({ position: state.position }, wanted, ({ value }) => (this.value = value), ended.signal);
        },
        () => undefined,
      );
      return () => ended.abort();
    });
  }
}
