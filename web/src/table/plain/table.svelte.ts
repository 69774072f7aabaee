/** A table of a game without a board on this page: seats, notation and, where the server lists them, the choices. */
import type { RematchState, Seat } from '../../net/protocol';
import { TableState } from '../table.svelte';

export interface PlainChoice {
  action: object;
  notation: string;
}
/** Games may send only the rematch. */
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
interface PlainOrder {
  type: 'act';
  version: number;
  seat: Seat;
  action: object;
}

export class PlainTable extends TableState<object, PlainState, PlainEntry, PlainOrder> {
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

  protected override beforeShow(): () => void {
    return () => {
      this.notice = null;
    };
  }
}
