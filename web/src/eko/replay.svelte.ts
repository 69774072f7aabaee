/** Shows again what happened since one's own last turn, decision by decision. */
import type { Entry, Seat } from './protocol';
import type { Table } from './table.svelte';

/** Milliseconds that each position stays. */
const STAY = 650;

/** The number of decisions after which the replay begins: the end of the latest earlier run of decisions of one's own. */
export function replayStart(log: readonly Entry[], yours: readonly Seat[]): number {
  let n = log.length;
  const mine = (index: number): boolean => yours.includes(log[index]?.seat ?? -1);
  if (yours.length !== 1) return Math.max(0, n - 1);
  while (n > 0 && mine(n - 1)) n--;
  while (n > 0 && !mine(n - 1)) n--;
  return n;
}

export class Replay {
  readonly #table: Table;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #run = 0;

  constructor(table: Table) {
    this.#table = table;
  }

  async start(): Promise<void> {
    this.stop();
    await this.#show(replayStart(this.#table.log, this.#table.yours), this.#run);
  }

  stop(): void {
    this.#run++;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  async #show(n: number, run: number): Promise<void> {
    await this.#table.look(n);
    if (run !== this.#run || n >= this.#table.log.length) return;
    this.#timer = setTimeout(() => void this.#show(n + 1, run), STAY);
  }
}
