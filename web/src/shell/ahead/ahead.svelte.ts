/** Thinking ahead: a real table, played on alone from where it stands, to prepare conditional moves. */
import type { Json } from '../../protocol/messages';
import type { Foreseen, Seat, Tried } from '../protocol';
import { SimulatedTable } from '../simulated.svelte';

export class Ahead extends SimulatedTable<Foreseen> {
  readonly seat: Seat;
  /** The variation as it can be stored: up to the last decision of one's own. */
  readonly variation: readonly Foreseen[] = $derived(
    this.decisions.slice(0, this.decisions.findLastIndex(({ seat }) => seat === this.seat) + 1),
  );
  readonly #play: (decisions: readonly Foreseen[]) => Tried;

  /** `play`: plays the table on by decisions. */
  constructor(id: string, seat: Seat, play: (decisions: readonly Foreseen[]) => Tried) {
    super(id);
    [this.seat, this.#play] = [seat, play];
  }

  protected override ask(decisions: readonly Foreseen[]): Promise<Tried> {
    return Promise.resolve(this.#play(decisions));
  }
  protected override decisionOf({ seat, action }: { seat?: Seat; action?: Json }): Foreseen | null {
    return seat === undefined || !action ? null : { seat, action };
  }
}
