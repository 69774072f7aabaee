/** Stepping through the earlier positions of a game, also by itself. */
import type { Later } from '../net/connection.svelte';

export interface Positions {
  /** How many decisions led to the position that is shown, and how many there are. */
  n(): number;
  all(): number;
  show(n: number): Promise<unknown>;
  /** Milliseconds that the shown position stays during playback; null at the end: playback stops there. */
  stay(): number | null;
  leave(): void;
}

export class Playback {
  playing = $state(false);
  readonly #positions: Positions;
  readonly #later: Later;
  /** The position that the reader goes to, until it is shown; further steps count from it. */
  #goal = $state<number | null>(null);
  /** Counts playbacks: a position that arrives after a stop does not continue one. */
  #run = 0;
  #cancel: (() => void) | null = null;

  constructor(positions: Positions, later: Later) {
    [this.#positions, this.#later] = [positions, later];
  }

  get n(): number {
    return this.#goal ?? this.#positions.n();
  }
  get all(): number {
    return this.#positions.all();
  }

  async go(n: number): Promise<void> {
    this.stop();
    const goal = Math.max(0, Math.min(n, this.all));
    this.#goal = goal;
    await this.#positions.show(goal);
    if (this.#goal === goal) this.#goal = null;
  }

  async play(from = this.n): Promise<void> {
    this.stop();
    this.playing = this.all > 0;
    if (this.playing) await this.#step(from >= this.all ? 0 : from, this.#run);
  }

  toggle(): void {
    if (this.playing) this.stop();
    else void this.play();
  }

  stop(): void {
    this.#run++;
    [this.playing, this.#goal] = [false, null];
    this.#cancel?.();
    this.#cancel = null;
  }

  leave(): void {
    this.stop();
    this.#positions.leave();
  }

  /** Returns whether the key is one of the history's. */
  press(key: string, target: EventTarget | null): boolean {
    const to = { arrowleft: this.n - 1, arrowright: this.n + 1, home: 0, end: this.all }[key];
    if (to !== undefined) void this.go(to);
    else if (key === ' ' && !(target instanceof HTMLElement && target.closest('button, summary'))) this.toggle();
    else return false;
    return true;
  }

  async #step(n: number, run: number): Promise<void> {
    await this.#positions.show(n);
    if (run !== this.#run) return;
    const stay = this.#positions.stay();
    if (stay === null) this.stop();
    else this.#cancel = this.#later(() => (n >= this.all ? this.leave() : void this.#step(n + 1, run)), stay);
  }
}
