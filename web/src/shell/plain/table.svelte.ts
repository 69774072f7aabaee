/**
 * A table of a game that this page has no board for: seats, what was decided in the game's notation and, where the server lists what
 * may be decided, that list.
 */
import type { RematchState, Seat } from '../protocol';
import { TableState } from '../table.svelte';

export interface PlainChoice {
  action: object;
  notation: string;
}
/** What of a state is read here; a game may send none of it but the rematch. */
export interface PlainState {
  asked?: Seat[];
  choices?: Record<string, PlainChoice[]>;
  outcome: { winners: Seat[]; reason: string } | null;
  rematch: RematchState;
}
export interface PlainEntry {
  n: number;
  /** -1: the table itself. */
  seat: Seat;
  notation: string;
}
interface PlainIntent {
  type: 'act';
  version: number;
  seat: Seat;
  action: object;
}

export class PlainTable extends TableState<object, PlainState, PlainEntry, PlainIntent> {
  /** The seat of this browser that is asked now, and what it may do. */
  readonly asked: { seat: Seat; choices: PlainChoice[] } | null = $derived.by(() => {
    for (const seat of this.state?.asked ?? []) {
      const choices = this.state?.choices?.[String(seat)];
      if (choices) return { seat, choices };
    }
    return null;
  });

  act({ action }: PlainChoice): void {
    if (this.asked) this.send({ type: 'act', version: this.version, seat: this.asked.seat, action });
  }

  protected override goesOn(): () => void {
    return () => {
      this.notice = null;
    };
  }
}
