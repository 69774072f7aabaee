/**
 * Calm mode: passes on mirrors automatically until the player looks up again. The moments are random, so that neither the hand nor the
 * decision to look away can be inferred from them (K7.6).
 */
import type { Later } from '../net/connection.svelte';

/** Milliseconds before a pass is sent: at least, and the random range on top. */
export const MINIMUM_DELAY = 900;
export const RANDOM_DELAY = 1600;

export class AutoPass {
  on = $state(false);
  readonly #later: Later;
  readonly #chance: () => number;
  readonly #pass: () => void;
  #asked = false;
  #cancel: (() => void) | null = null;

  /** `chance`: from 0 up to 1. */
  constructor(later: Later, chance: () => number, pass: () => void) {
    [this.#later, this.#chance, this.#pass] = [later, chance, pass];
  }

  look(): void {
    this.on = true;
    this.#wait();
  }
  up(): void {
    this.on = false;
    this.#stop();
  }

  asked(asked: boolean): void {
    if (asked === this.#asked) return;
    this.#asked = asked;
    this.#stop();
    this.#wait();
  }

  #wait(): void {
    if (this.on && this.#asked)
      this.#cancel ??= this.#later(() => this.#goBy(), MINIMUM_DELAY + Math.floor(this.#chance() * RANDOM_DELAY));
  }
  #goBy(): void {
    this.#cancel = null;
    this.#pass();
  }
  #stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }
}
