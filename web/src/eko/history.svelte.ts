/** Stepping through earlier positions, also by itself. */
import { sinceMyTurn } from './story';
import type { Table } from './table.svelte';

/** Milliseconds that each position stays during playback. */
const STAY = 1100;

export class History {
  playing = $state(false);
  readonly #table: Table;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #run = 0;

  constructor(table: Table) {
    this.#table = table;
  }

  get n(): number {
    return this.#table.past?.n ?? this.#table.log.length;
  }
  get all(): number {
    return this.#table.log.length;
  }

  /** After the last decision this shows the present position, but still as a past one. */
  go(n: number): Promise<void> {
    this.stop();
    return this.#table.look(Math.max(0, Math.min(n, this.all)));
  }

  leave(): void {
    this.stop();
    void this.#table.look(null);
  }

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
