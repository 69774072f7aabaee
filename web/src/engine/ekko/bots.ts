/** The bots of EKKO: what they decide from what their seat sees. */
import type { KernelArray } from '../module';
import { EKKO } from '../records';
import { type Action, decode } from './action';
import { mirrorOf } from './cards';
import { Ekko, type SeenJson } from './position';

const { BOTS, CARDS, MOST_PLAYERS, RANDOM_DECISIONS, SCRATCH, WORDS } = EKKO;

export type Level = keyof typeof BOTS;
export const LEVELS = Object.keys(BOTS) as readonly Level[];

/** The view of a seat as the kernels that sample deals take it, in a memory of its own. */
export class Sight {
  readonly ekko: Ekko;
  readonly root: KernelArray;
  readonly states: KernelArray;
  readonly stream: KernelArray;
  private readonly unseen: KernelArray;
  private readonly barred: KernelArray;
  private readonly sizes: KernelArray;
  private readonly aside: KernelArray;

  constructor(module: WebAssembly.Module) {
    this.ekko = new Ekko(module);
    const { kernels } = this.ekko;
    [this.root, this.states] = [kernels.array('STATE', 1), kernels.array('STATE', SCRATCH)];
    [this.unseen, this.barred] = [kernels.array('uint8', CARDS), kernels.array('uint64', CARDS, WORDS)];
    [this.sizes, this.aside] = [kernels.array('int64', MOST_PLAYERS), kernels.array('int64', MOST_PLAYERS)];
    this.stream = kernels.array('uint64', 1);
  }

  /** Begin the random numbers. `word`: one of 64 bits. */
  begin(word: bigint): void {
    this.stream.items('uint64')[0] = word | 1n;
  }

  /** Take the view of a seat as the root. Returns what is hidden from it; `remembers`: by the draws of the others, too. */
  look(view: SeenJson, seat: number, remembers: boolean): KernelArray[] {
    this.root.bytes.set(this.ekko.seenPosition(view, seat).state);
    const seen = new Set([...view.zone, ...view.hand, ...view.aside]);
    const unseen = Array.from({ length: CARDS }, (_, n) => n + 1).filter((card) => !seen.has(card));
    this.unseen.bytes.set(unseen);
    this.put(this.sizes, view.sizes);
    this.put(this.aside, view.set_aside);
    const { kernels } = this.ekko;
    const count = remembers ? kernels.number('barred_cards', this.root, seat, this.sizes, this.barred) : 0;
    return this.hidden(unseen.length, count);
  }

  /** Take a position as the root in which nothing is hidden, as before a deal. */
  lookAt(state: Uint8Array): KernelArray[] {
    this.root.bytes.set(state);
    this.put(this.sizes, []);
    this.put(this.aside, []);
    return this.hidden(0, 0);
  }

  private hidden(unseen: number, barred: number): KernelArray[] {
    return [this.unseen.as('uint8', unseen), this.barred.as('uint64', barred, WORDS), this.sizes, this.aside];
  }

  private put(array: KernelArray, counts: readonly number[]): void {
    array.bytes.fill(0);
    array.items('int64').set(counts.map(BigInt));
  }
}

export class Bots {
  private readonly sight: Sight;

  constructor(module: WebAssembly.Module) {
    this.sight = new Sight(module);
  }

  /** The decision of a level for the seat to move. `word`: a random number of 64 bits. */
  decide(view: SeenJson, seat: number, level: Level, word: bigint): Action {
    const { ekko, root, states, stream } = this.sight;
    const { sees, deals, remembers } = BOTS[level];
    this.sight.begin(word);
    const hidden = this.sight.look(view, seat, remembers);
    return decode(
      deals === 0
        ? ekko.kernels.number('noticed_decision', root, stream, sees)
        : ekko.kernels.number('best_decision', root, states, hidden, deals, RANDOM_DECISIONS, stream),
    );
  }

  /**
   * Whether a level plays the mirror of the top card, and how; undefined: it passes. Without the mirror it decides as if it held one,
   * so that its time says nothing (K7.6).
   */
  mirror(view: SeenJson, seat: number, level: Level, word: bigint): Action | undefined {
    const mirror = mirrorOf(view.zone.at(-1)!) ?? 0;
    const holds = view.hand.includes(mirror) && !view.turn.blocked?.includes(mirror);
    const { blocked: _, ...rest } = view.turn;
    const turn = { ...rest, phase: 'mirror' as const, asked: seat };
    const [given] = view.hand.includes(mirror) ? [mirror] : view.hand;
    const seen: SeenJson = holds
      ? { ...view, turn: { ...view.turn, phase: 'mirror', asked: seat } }
      : {
          ...view,
          hand: view.hand.map((card) => (card === given ? mirror : card)),
          aside: view.aside.map((card) => (card === mirror ? given! : card)),
          turn,
        };
    const action = this.decide(seen, seat, level, word);
    return holds && action.type === 'mirror' ? action : undefined;
  }
}
