/** A real table, played on alone from where it stands, to prepare conditional moves. */
import type { Json } from '../../protocol/messages';
import type { Seat, SeatDecision, Tried } from '../protocol';
import { SimulatedTable } from '../simulated.svelte';

export class ConditionalMovesTable extends SimulatedTable<SeatDecision> {
  readonly seat: Seat;
  /** The variation as it can be stored: up to the last decision of one's own. */
  readonly variation: readonly SeatDecision[] = $derived(
    this.decisions.slice(0, this.decisions.findLastIndex(({ seat }) => seat === this.seat) + 1),
  );
  readonly #play: (decisions: readonly SeatDecision[]) => Tried;

  /** `play`: plays the table on by decisions. */
  constructor(id: string, seat: Seat, play: (decisions: readonly SeatDecision[]) => Tried) {
    super(id);
    [this.seat, this.#play] = [seat, play];
  }

  protected override ask(decisions: readonly SeatDecision[]): Promise<Tried> {
    return Promise.resolve(this.#play(decisions));
  }
  protected override decisionOf({ seat, action }: { seat?: Seat; action?: Json }): SeatDecision | null {
    return seat === undefined || !action ? null : { seat, action };
  }
}
