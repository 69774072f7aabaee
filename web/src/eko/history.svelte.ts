/** Looking back: from decision to decision, to either end, and by itself. */
import { sinceMyTurn } from './story';
import type { Table } from './table.svelte';

/** Milliseconds that each position stays while it plays by itself. */
const STAY = 1100;

export class History {
  /** Whether it goes on by itself. */
  playing = $state(false);
  readonly #table: Table;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #run = 0;

  constructor(table: Table) {
    this.#table = table;
  }

  /** The number of decisions after which the position is shown. */
  get n(): number {
    return this.#table.past?.n ?? this.#table.log.length;
  }
  get all(): number {
    return this.#table.log.length;
  }

  /** Shows the position after `n` decisions; the present one after all of them, but still as one that is looked at. */
  go(n: number): Promise<void> {
    this.stop();
    return this.#table.look(Math.max(0, Math.min(n, this.all)));
  }

  /** Back to the game. */
  leave(): void {
    this.stop();
    void this.#table.look(null);
  }

  /** Plays from where it stands, or from the beginning where nothing follows; then it is back in the game. */
  async play(from = this.n): Promise<void> {
    this.stop();
    this.playing = this.all > 0;
    if (this.playing) await this.#show(from >= this.all ? 0 : from, this.#run);
  }

  /** Plays what happened since the own last turn. */
  since(): Promise<void> {
    return this.play(sinceMyTurn(this.#table.log, this.#table.me));
  }

  toggle(): void {
    if (this.playing) this.stop();
    else void this.play();
  }

  stop(): void {
    this.#run++;
    this.playing = false;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  async #show(n: number, run: number): Promise<void> {
    await this.#table.look(n);
    if (run !== this.#run) return;
    this.#timer = setTimeout(() => (n >= this.all ? this.leave() : void this.#show(n + 1, run)), STAY);
  }
}
