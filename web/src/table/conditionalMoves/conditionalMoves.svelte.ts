/** A real table, played on alone from where it stands, to prepare conditional moves. */

import type { Seat, SeatDecision, Tried } from '../../net/protocol';
import { LocalTable } from '../localTable.svelte';

export class ConditionalMovesTable extends LocalTable<SeatDecision> {
  /** The variation as it can be stored: up to the last decision of one's own. */
  readonly variation: readonly SeatDecision[] = $derived(
    this.decisions.slice(0, this.decisions.findLastIndex(({ seat }) => seat === this.seat) + 1),
  );

  /** `ask`: plays the table on by decisions. */
  constructor(
    readonly seat: Seat,
    protected override readonly ask: (decisions: readonly SeatDecision[]) => Tried,
  ) {
    super();
  }
}
