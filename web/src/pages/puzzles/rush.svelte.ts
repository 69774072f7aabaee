/** A puzzle rush: as many puzzles as one can in three minutes; three mistakes end it. The page plays and judges it, and keeps what was reached. */

import { ask } from '../../net/api';
import type { PuzzlePlayed } from '../../net/protocol';
import type { PuzzleInfo, RushInfo } from '../../protocol/messages';
import { entryOf } from '../../table/games';
import { Exercise, RETRY } from '../../table/localTable.svelte';
import { store, stored } from '../../ui/settings.svelte';

export const MISTAKES = 3;
const TIME = 180_000;
const TICK = 200;
/** Milliseconds for which the last move of a puzzle, or what was wrong, is seen. */
const PAUSE = 600;

/** What was reached today and ever. */
interface Reached {
  day: string;
  /** Of each rush of that day, in their order. */
  today: readonly number[];
  best: number;
}
const KEY = 'ekoes.rush';
const NONE: Reached = { day: '', today: [], best: 0 };
const reached = $state<Record<string, Reached>>(stored(KEY, {}));

/** The day is UTC's, as that of the server, which draws the puzzles by it. */
export function reachedIn(game: string, now = Date.now()): Readonly<Reached> {
  const day = new Date(now).toISOString().slice(0, 10);
  const { day: latest, today, best } = reached[game] ?? NONE;
  return { day, today: latest === day ? today : [], best };
}

export function noteReached(game: string, solved: number, now = Date.now()): void {
  const { day, today, best } = reachedIn(game, now);
  reached[game] = { day, today: [...today, solved], best: Math.max(best, solved) };
  store(KEY, reached);
}

/** Three minutes and three mistakes. Whoever uses it says what was solved and what was not. */
export class RushCount {
  solved = $state(0);
  mistakes = $state(0);
  /** Milliseconds. */
  left = $state(TIME);
  isOver = $state(false);
  readonly #game: string;
  readonly #end = Date.now() + TIME;
  readonly #ticks: ReturnType<typeof setInterval>;

  constructor(game: string) {
    this.#game = game;
    this.#ticks = setInterval(() => this.#tick(), TICK);
  }
  answered(isRight: boolean): void {
    if (this.isOver) return;
    if (isRight) this.solved++;
    else this.mistakes++;
    if (this.mistakes === MISTAKES) this.end();
  }
  /** Notes what was reached. */
  end(): void {
    if (this.isOver) return;
    this.stop();
    this.isOver = true;
    noteReached(this.#game, this.solved);
  }
  /** The page is left. */
  stop(): void {
    clearInterval(this.#ticks);
  }
  #tick(): void {
    this.left = Math.max(0, this.#end - Date.now());
    if (this.left === 0) this.end();
  }
}

/** One puzzle of a rush. Its first wrong decision is its last one. */
export class RushPuzzle extends Exercise<PuzzlePlayed> {
  verdict = $state<PuzzlePlayed['verdict']>('open');
  readonly marks = [];
  readonly open = $derived(this.verdict === 'open');

  constructor(
    game: string,
    readonly about: PuzzleInfo,
    readonly judge: (decisions: readonly never[]) => PuzzlePlayed,
    private readonly onanswer: (isRight: boolean) => void,
  ) {
    super(game);
  }
  get data(): Exercise['data'] {
    return { 'data-rush': this.about.id, 'data-result': this.verdict };
  }
  protected override ask(decisions: readonly object[]): PuzzlePlayed {
    return this.judge(decisions as never[]);
  }
  protected override accept({ verdict }: PuzzlePlayed): boolean {
    if (!this.open) return false;
    this.verdict = verdict;
    if (verdict !== 'open') this.onanswer(verdict === 'right');
    return verdict !== 'wrong';
  }
}

/** A rush of puzzles, the easiest first. */
export class Rush {
  count = $state.raw<RushCount | null>(null);
  puzzle = $state.raw<RushPuzzle | null>(null);
  /** Those that were answered, in their order. */
  answered = $state.raw<readonly { readonly about: PuzzleInfo; readonly isRight: boolean }[]>([]);
  #names: readonly string[] = [];
  #fetched = 0;
  /** The one to come, which is fetched while its forerunner is solved. */
  #next: Promise<PuzzleInfo> | undefined;

  constructor(readonly game: string) {}

  /** Draws the puzzles, and starts the clock with the first one. Throws `Refused`. */
  async begin(): Promise<void> {
    const run = reachedIn(this.game).today.length + 1;
    const { puzzles } = await ask<RushInfo>(`/api/${this.game}/puzzles/rush?run=${run}`);
    [this.answered, this.#names, this.#fetched] = [[], puzzles, 0];
    const { puzzleOf } = await entryOf(this.game)!.puzzle!();
    this.#fetch();
    const first = await this.#next!;
    this.count = new RushCount(this.game);
    this.#show(first, puzzleOf);
  }
  stop(): void {
    this.count?.stop();
  }
  #fetch(): void {
    const name = this.#names[this.#fetched++];
    this.#next = name === undefined ? undefined : untilAnswered(`/api/${this.game}/puzzles/${name}`);
  }
  #show(about: PuzzleInfo, puzzleOf: (about: PuzzleInfo) => RushPuzzle['judge']): void {
    this.puzzle = new RushPuzzle(this.game, about, puzzleOf(about), (isRight) => {
      this.answered = [...this.answered, { about, isRight }];
      this.count!.answered(isRight);
      void this.#goOn(puzzleOf);
    });
    this.#fetch();
  }
  async #goOn(puzzleOf: (about: PuzzleInfo) => RushPuzzle['judge']): Promise<void> {
    await pause(PAUSE);
    const about = await this.#next;
    if (this.count!.isOver) return;
    if (about) this.#show(about, puzzleOf);
    else this.count!.end();
  }
}

const pause = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));

async function untilAnswered<T>(address: string): Promise<T> {
  try {
    return await ask<T>(address);
  } catch {
    await pause(RETRY);
    return untilAnswered(address);
  }
}
