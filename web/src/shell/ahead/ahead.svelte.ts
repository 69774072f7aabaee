/** Thinking ahead: a real table, played on alone from where it stands, to prepare conditional moves. */
import type { Json, TableMessage, TriedInfo } from '../../protocol/messages';
import { ask, Refused } from '../api';
import type { Foreseen, Seat } from '../protocol';
import { SimulatedTable } from '../simulated.svelte';

/** Replaced in tests. */
export type Think = (decisions: readonly Foreseen[], of?: unknown) => Promise<TriedInfo>;

export function thinkFrom(id: string, version: number): Think {
  return (decisions, of) => ask(`/api/tables/${id}/ahead`, { version, decisions, ...(of !== undefined && { of }) });
}

export class Ahead extends SimulatedTable<Foreseen> {
  readonly seat: Seat;
  notations = $state.raw<readonly string[]>([]);
  stale = $state(false);
  /** The variation as it can be stored: up to the last decision of one's own. */
  readonly variation: readonly Foreseen[] = $derived(this.decisions.slice(0, this.decisions.findLastIndex(({ seat }) => seat === this.seat) + 1));
  readonly #think: Think;

  constructor(id: string, seat: Seat, think: Think) {
    super(id);
    [this.seat, this.#think] = [seat, think];
  }

  protected override ask(decisions: readonly Foreseen[], of?: unknown): Promise<TriedInfo> {
    return this.#think(decisions, of);
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
