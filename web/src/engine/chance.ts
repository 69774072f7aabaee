/** The random numbers of `Chance` in games/api/chance.py: equal seeds give equal streams. */

const WORDS = 1n << 64n;

export class Chance {
  /** The state of the stream, for kernels that go on with it. */
  constructor(public state: bigint) {}

  /** A random number from 0 up to below a bound. */
  below(bound: number): number {
    const limit = WORDS - (WORDS % BigInt(bound));
    for (;;) {
      this.state = (this.state + 0x9e3779b97f4a7c15n) % WORDS;
      let word = this.state;
      word = ((word ^ (word >> 30n)) * 0xbf58476d1ce4e5b9n) % WORDS;
      word = ((word ^ (word >> 27n)) * 0x94d049bb133111ebn) % WORDS;
      word ^= word >> 31n;
      if (word < limit) return Number(word % BigInt(bound));
    }
  }

  /** Puts items in a random order. */
  shuffle(items: unknown[]): void {
    for (let last = items.length - 1; last > 0; last--) {
      const other = this.below(last + 1);
      [items[last], items[other]] = [items[other], items[last]];
    }
  }
}
