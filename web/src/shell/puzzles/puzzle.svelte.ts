import type { PuzzleInfo, PuzzleTried } from '../../protocol/messages';
import { signedIn } from '../account/account.svelte';
import { ask, Refused } from '../api';
import { go } from '../route.svelte';
import { Exercise } from '../simulated.svelte';
import { loadAccountOf, noteSolved, progressOf } from './solved.svelte';

/** Milliseconds between the decisions of a solution that is shown. */
const PAUSE = 1200;

export class Puzzle extends Exercise<PuzzleTried> {
  readonly id: string;
  about = $state.raw<PuzzleInfo | null>(null);
  /** On the latest decision; a wrong one is not carried out. */
  verdict = $state<PuzzleTried['verdict']>('open');
  /** The solution as notations, once it may be seen. */
  solution = $state.raw<readonly string[] | null>(null);
  gaveUp = $state(false);
  /** What the first answer to it changed. */
  rated = $state.raw<PuzzleTried['rated']>(null);
  showing = $state(false);
  /** There is no such puzzle. */
  missing = $state(false);
  readonly #address: string;

  constructor(game: string, id: string) {
    super(game, id);
    [this.id, this.#address] = [id, `/api/${game}/puzzles/${id}`];
  }

  readonly marks = [];
  readonly open = $derived(this.verdict !== 'right' && !this.showing);

  get data(): Exercise['data'] {
    return { 'data-puzzle': this.id, 'data-result': this.verdict };
  }

  async showSolution(): Promise<void> {
    const { solution, rated } = await ask<PuzzleTried>(this.#address, { decisions: [], gives_up: true });
    this.#note(rated);
    if (!solution || this.showing) return;
    [this.gaveUp, this.showing, this.solution] = [true, true, solution.map(({ notation }) => notation)];
    await this.again();
    for (const { action } of solution) {
      await new Promise((done) => setTimeout(done, PAUSE));
      await this.play(action);
    }
    this.showing = false;
  }

  protected override async prepare(): Promise<void> {
    this.about ??= await ask<PuzzleInfo>(this.#address);
  }
  protected override failed(error: unknown): boolean {
    this.missing = error instanceof Refused && error.code === 'puzzle/not-found';
    return !this.missing && super.failed(error);
  }
  protected override ask(decisions: readonly object[]): Promise<PuzzleTried> {
    return ask(this.#address, { decisions, gives_up: this.gaveUp || undefined });
  }
  #note(rated: PuzzleTried['rated']): void {
    if (!rated) return;
    this.rated = rated;
    loadAccountOf(this.game);
  }
  protected override accept({ verdict, solution, rated }: PuzzleTried): boolean {
    this.verdict = verdict;
    this.#note(rated);
    if (verdict === 'right' && !this.gaveUp) {
      this.solution = solution?.map(({ notation }) => notation) ?? null;
      if (signedIn() && !rated) loadAccountOf(this.game);
      if (!signedIn()) void dailyOf(this.game).then(
        ({ id }) => noteSolved(this.game, this.id, id === this.id),
        () => noteSolved(this.game, this.id, false),
      );
    }
    return verdict !== 'wrong';
  }
}

export const dailyOf = (game: string): Promise<PuzzleInfo> => ask(`/api/${game}/puzzles/daily`);

/** Opens a puzzle of the chosen theme that is not solved. `after`: the one before. */
export async function openNext(game: string, after = ''): Promise<void> {
  const { theme, solved } = progressOf(game);
  const { id } = await ask<PuzzleInfo>(`/api/${game}/puzzles/next`, { after, theme, solved });
  go(`/${game}/puzzles/${id}`);
}

export const pictureOf = (game: string, id: string): string => `/api/${game}/puzzles/${id}/picture.svg`;
