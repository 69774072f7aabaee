import type { AnalysisBoard } from '../../table/analysis/board.svelte';
import { Saved } from '../../table/analysis/saved.svelte';
import type { Study } from './study.svelte';

/** The board of a chapter: what its owner changes is stored soon, what a reader tries is not. */
export class SavedChapter extends Saved {
  readonly #study: Study;
  readonly #name: string;
  readonly #isOwn: boolean;
  #stored = 0;

  constructor(study: Study, name: string, record: string, board: AnalysisBoard, isOwn: boolean) {
    super(study.game, null, record, board);
    [this.#study, this.#name, this.#isOwn] = [study, name, isOwn];
  }

  override address(): Promise<string> {
    return Promise.resolve(this.#study.addressOf(this.#name));
  }
  protected override async keep(): Promise<void> {
    const { edits } = this.board;
    if (!this.#isOwn || edits === this.#stored) return;
    this.#stored = edits;
    await this.#study.change(this.#name, { record: await this.record() });
  }
  /** Whoever leaves the board loses nothing. */
  override stop(): void {
    super.stop();
    void this.keep().catch(() => undefined);
  }
}
