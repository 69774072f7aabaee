/**
 * "Not until I look up": in calm mode a player lets mirrors go by without being asked after each card. The passes go out by themselves,
 * at moments that chance alone draws: neither the hand nor a wish to look away can be read from them (K7.6).
 */

/** Milliseconds after which a pass goes out at the earliest, and within which chance draws its moment. */
export const LEAST = 900;
export const WITHIN = 1600;

export class Away {
  on = $state(false);
  readonly #later: (task: () => void, milliseconds: number) => () => void;
  readonly #chance: () => number;
  readonly #pass: () => void;
  #asked = false;
  #cancel: (() => void) | null = null;

  /** `chance`: from 0 up to 1. `pass`: lets the mirror that is asked for go by. */
  constructor(later: (task: () => void, milliseconds: number) => () => void, chance: () => number, pass: () => void) {
    this.#later = later;
    this.#chance = chance;
    this.#pass = pass;
  }

  /** Looks away from now on. */
  look(): void {
    this.on = true;
    this.#wait();
  }
  /** Looks up again. */
  up(): void {
    this.on = false;
    this.#stop();
  }

  /** Says whether a pass or a mirror is asked for now; the question is the same as long as it goes on. */
  asked(asked: boolean): void {
    if (asked === this.#asked) return;
    this.#asked = asked;
    this.#stop();
    this.#wait();
  }

  #wait(): void {
    if (this.on && this.#asked) this.#cancel ??= this.#later(() => this.#goBy(), LEAST + Math.floor(this.#chance() * WITHIN));
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
