/** Searches in a worker, in slices, so that a message that ends one is read soon. */
import type { Action } from './eko/action';
import { Eko, type PositionJson } from './eko/position';
import { type Info, type Level, type Networks, Search } from './eko/search';
import { EKO } from './records';

/** A position, and the decisions in it that end the game by a third repetition (E11.6). */
export interface Asked {
  readonly position: PositionJson;
  readonly drawn?: readonly Action[];
}

/** `eko.wasm` and `search.wasm`. */
export interface Modules {
  readonly rules: WebAssembly.Module;
  readonly search: WebAssembly.Module;
}

/** A message to a worker. A later request ends the one before; `key` comes back with its answers. */
export type Request =
  | {
      readonly type: 'load';
      readonly modules: Modules;
      readonly networks: Networks;
      readonly exploration: number;
    }
  /** `lines`: the best variations that are sent. */
  | ({ readonly type: 'search'; readonly key: number; readonly seconds: number; readonly lines: number } & Asked)
  /** `word`: a random number of 64 bits. */
  | ({ readonly type: 'choose'; readonly key: number; readonly level: Level | 'greedy'; readonly word: bigint } & Asked)
  | { readonly type: 'stop' };

export type Answer =
  | { readonly type: 'info'; readonly key: number; readonly info: Info; readonly final: boolean }
  | { readonly type: 'chosen'; readonly key: number; readonly action: Action };

/** Milliseconds of a slice, and between answers. */
const SLICE = 20;
const EVERY = 200;

/** The work of a worker, apart from the worker, so that tests can run it. */
export class Searcher {
  private rules!: Eko;
  private search!: Search;
  private wanted = 0;
  private readonly turns = new MessageChannel();
  private next: (() => void) | undefined;

  constructor(private readonly send: (answer: Answer) => void) {
    this.turns.port1.onmessage = () => this.next?.();
  }

  handle(request: Request): void {
    this.wanted++;
    if (request.type === 'load') {
      this.rules = new Eko(request.modules.rules);
      this.search = new Search(request.modules.search, request.networks, undefined, request.exploration);
    } else if (request.type === 'search') void this.watch(request);
    else if (request.type === 'choose') void this.choose(request);
  }

  private async watch(request: Extract<Request, { type: 'search' }>): Promise<void> {
    const { key, seconds, lines } = request;
    this.take(request);
    const ends = performance.now() + 1000 * seconds;
    let sent = performance.now();
    const isEnded = (): boolean => {
      const now = performance.now();
      if (now >= ends) return true;
      if (now - sent >= EVERY) {
        sent = now;
        this.send({ type: 'info', key, info: this.search.info(lines), final: false });
      }
      return false;
    };
    if (await this.run(Infinity, isEnded)) this.send({ type: 'info', key, info: this.search.info(lines), final: true });
  }

  private async choose(request: Extract<Request, { type: 'choose' }>): Promise<void> {
    const { key, level, word } = request;
    this.take(request, level !== 'greedy' && EKO.BOTS[level].keeps);
    if (level === 'greedy') this.send({ type: 'chosen', key, action: this.search.chooseGreedily(word) });
    else if (await this.run(this.search.limit(level), () => false))
      this.send({ type: 'chosen', key, action: this.search.choose(level, word) });
  }

  private take({ position, drawn }: Asked, keeps = true): void {
    this.search.moveTo(this.rules.position(position), drawn, keeps);
  }

  /** Search until a limit, a proof, or `isEnded`. Returns whether nothing else was wanted meanwhile. */
  private async run(limit: number, isEnded: () => boolean): Promise<boolean> {
    const { wanted, search } = this;
    for (let steps = 1; wanted === this.wanted; await this.turn()) {
      const begun = performance.now();
      const goal = Math.min(limit, search.iterations + Math.ceil(steps));
      if (!search.run(goal) || goal === limit || isEnded()) return true;
      steps *= Math.min(2, Math.max(0.5, SLICE / Math.max(performance.now() - begun, 0.1)));
    }
    return false;
  }

  /** Let messages that have arrived be read. */
  private turn(): Promise<void> {
    return new Promise((resolve) => {
      this.next = resolve;
      this.turns.port2.postMessage(null);
    });
  }

  /** End what runs; nothing can be asked any more. */
  close(): void {
    this.wanted++;
    this.turns.port1.close();
  }
}
