/** Thinking ahead: a real table, played on alone from where it stands, to prepare conditional moves. */
import type { Json, TableMessage, TriedInfo } from '../../protocol/messages';
import { ask, Refused } from '../api';
import type { Foreseen, Seat } from '../protocol';
import { SimulatedTable } from '../simulated.svelte';

export class Ahead extends SimulatedTable<Foreseen> {
  readonly seat: Seat;
  notations = $state.raw<readonly string[]>([]);
  stale = $state(false);
  /** The variation as it can be stored: up to the last decision of one's own. */
  readonly variation: readonly Foreseen[] = $derived(this.decisions.slice(0, this.decisions.findLastIndex(({ seat }) => seat === this.seat) + 1));
  readonly #address: string;
  readonly #from: number;

  /** `version`: of the table from which it is played on. */
  constructor(id: string, seat: Seat, version: number) {
    super(id);
    [this.seat, this.#address, this.#from] = [seat, `/api/tables/${id}/ahead`, version];
  }

  protected override ask(decisions: readonly Foreseen[]): Promise<TriedInfo> {
    return ask(this.#address, { version: this.#from, decisions });
  }
  protected override decisionOf({ seat, action }: { seat?: Seat; action?: Json }): Foreseen | null {
    return seat === undefined || !action ? null : { seat, action };
  }
  protected override failed(error: unknown): boolean {
    this.stale = error instanceof Refused && error.code === 'table/stale';
    this.lost = !this.stale;
    return this.lost;
  }
  protected override shown({ log }: TableMessage): void {
    this.notations = log.map((entry) => (entry as { notation?: string }).notation ?? '');
  }
}
