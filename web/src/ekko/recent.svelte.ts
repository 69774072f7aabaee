/** What just happened and is still shown: at the seats, beside the play zone, in the hand. Each item disappears after a while. */
import type { Later } from '../net/connection.svelte';
import type { Card, Entry, Receipt, State } from './protocol';

/** Milliseconds that an event stays at its seat, and that a receipt stays. */
export const SHOWN = 2800;
export const RECEIPT = 8000;

export class RecentEvents {
  recent = $state.raw<readonly Entry[]>([]);
  /** What the latest message brought, for screen readers; empty after a jump. */
  news = $state.raw<readonly Entry[]>([]);
  receipt = $state.raw<Receipt | null>(null);
  drawn = $state.raw<readonly Card[]>([]);
  came = $state.raw<readonly Card[]>([]);

  readonly #later: Later;

  constructor(later: Later) {
    this.#later = later;
  }

  happened(news: readonly Entry[]): void {
    this.news = news;
    if (news.length === 0) return;
    this.recent = [...this.recent, ...news];
    this.#later(() => {
      this.recent = this.recent.filter((entry) => !news.includes(entry));
    }, SHOWN);
  }

  raced(before: State | null, { receipt }: State): void {
    if (!before || !receipt || receipt.losers.length === 0) return;
    if (JSON.stringify(receipt.losers) === JSON.stringify(before.receipt?.losers)) return;
    this.receipt = receipt;
    this.#later(() => {
      if (this.receipt === receipt) this.receipt = null;
    }, RECEIPT);
  }

  /** `before`: null: another hand, nothing in it is new. */
  holds(hand: readonly Card[], before: readonly Card[] | null): void {
    this.came = before === null ? [] : hand.filter((card) => !before.includes(card));
    if (before === null) this.drawn = [];
    if (this.came.length === 0) return;
    const drawn = this.came;
    this.drawn = drawn;
    this.#later(() => {
      if (this.drawn === drawn) this.drawn = [];
    }, SHOWN);
  }
}
