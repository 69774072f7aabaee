import { signedIn } from '../../net/account.svelte';
import { ask, Refused } from '../../net/api';
import type { PuzzlePlayed } from '../../net/protocol';
import type { PuzzleAnswered, PuzzleInfo } from '../../protocol/messages';
import { entryOf } from '../../table/games';
import { Exercise, RETRY } from '../../table/localTable.svelte';
import { go } from '../../ui/route.svelte';
import { chooseTheme, loadAccountOf, noteSolved, progressOf } from './solved.svelte';

/** Milliseconds between the decisions of a solution that is shown. */
const PAUSE = 1200;
/** What the server says of an answer that it will never take. */
const REFUSED = /^(action|puzzle|message)\//;

type Verdict = PuzzlePlayed['verdict'];

const pause = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));

/** The game's rules play and judge it in the page. The server judges the answer once more and rates it. */
export class Puzzle extends Exercise<PuzzlePlayed> {
  readonly id: string;
  about = $state.raw<PuzzleInfo | null>(null);
  /** On the latest decision; a wrong one is not carried out. */
  verdict = $state<Verdict>('open');
  gaveUp = $state(false);
  /** What the first answer to it changed. */
  rated = $state.raw<PuzzleAnswered['rated']>(null);
  showing = $state(false);
  /** There is no such puzzle. */
  missing = $state(false);
  readonly #address: string;
  #play: ((decisions: readonly never[]) => PuzzlePlayed) | null = null;
  /** Those that the server knows, or will as soon as it can be reached: of each the first. */
  readonly #answers = new Set<Verdict>();
  #sending: Promise<void> = Promise.resolve();

  constructor(game: string, id: string) {
    super(game);
    [this.id, this.#address] = [id, `/api/${game}/puzzles/${id}`];
  }

  readonly marks = [];
  readonly open = $derived(this.verdict !== 'right' && !this.showing);

  get data(): Exercise['data'] {
    return { 'data-puzzle': this.id, 'data-result': this.verdict };
  }

  async showSolution(): Promise<void> {
    const { solution, rated } = await ask<PuzzleAnswered>(this.#address, { decisions: [], gives_up: true });
    this.#note(rated);
    if (!solution || this.showing) return;
    this.gaveUp = this.showing = true;
    await this.again();
    for (const { action } of solution) {
      await pause(PAUSE);
      await this.play(action);
    }
    this.showing = false;
  }

  protected override async prepare(): Promise<void> {
    this.about ??= await ask<PuzzleInfo>(this.#address);
    this.#play ??= (await entryOf(this.game)!.puzzle!()).puzzleOf(this.about);
  }
  protected override failed(error: unknown): boolean {
    this.missing = error instanceof Refused && error.code === 'puzzle/not-found';
    return !this.missing && super.failed(error);
  }
  protected override ask(decisions: readonly object[]): PuzzlePlayed {
    const played = this.#play!(decisions as never[]);
    const { verdict } = played;
    if (verdict !== 'open' && !this.gaveUp && !this.#answers.has(verdict)) {
      this.#answers.add(verdict);
      this.#sending = this.#sending.then(() => this.#send(verdict, decisions));
    }
    return played;
  }
  /** Tells the server, again until it answers. */
  async #send(verdict: Verdict, decisions: readonly object[]): Promise<void> {
    let answer: PuzzleAnswered | null = null;
    while (!answer) {
      try {
        answer = await ask<PuzzleAnswered>(this.#address, { decisions });
      } catch (error) {
        if (error instanceof Refused && REFUSED.test(error.code)) return;
        await pause(RETRY);
      }
    }
    this.#note(answer.rated);
    if (verdict !== 'right') return;
    if (signedIn() && !answer.rated) loadAccountOf(this.game);
    if (!signedIn())
      dailyOf(this.game).then(
        ({ id }) => noteSolved(this.game, this.id, id === this.id),
        () => undefined,
      );
  }
  #note(rated: PuzzleAnswered['rated']): void {
    if (!rated) return;
    this.rated = rated;
    loadAccountOf(this.game);
  }
  protected override accept({ verdict }: PuzzlePlayed): boolean {
    this.verdict = verdict;
    if (verdict === 'right' && !this.gaveUp && !signedIn()) noteSolved(this.game, this.id, false);
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

/** Chooses a theme, null: any, and opens a puzzle of it. */
export function practise(game: string, theme: string | null): Promise<void> {
  chooseTheme(game, theme);
  return openNext(game);
}

export const pictureOf = (game: string, id: string): string => `/api/${game}/puzzles/${id}/picture.svg`;
