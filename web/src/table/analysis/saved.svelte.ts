/** Where the tree of an analysis board is stored: in the address of the page, or in the study whose chapter it is. */
import { CLOCK } from '../../net/connection.svelte';
import { failure } from '../../net/request.svelte';
import { noteLatest, ofBoard, ofTable } from './address';
import type { AnalysisBoard } from './board.svelte';

/** Milliseconds after a change until the address follows. */
export const REST = 500;

/** The address of the page follows the tree, so that a reload and a link have it. */
export class Saved {
  /** Whether the tree is too long for a link. */
  isLong = $state(false);
  problem = $state<string | null>(null);
  readonly #game: string;
  readonly #id: string | null;
  protected readonly board: AnalysisBoard;
  #record: string;
  #edits = 0;
  #cancel: (() => void) | null = null;

  /** `id`: of the table that the board came from. `record`: what it was opened with. */
  constructor(game: string, id: string | null, record: string, board: AnalysisBoard) {
    [this.#game, this.#id, this.#record, this.board] = [game, id, record, board];
  }

  /** The record with the whole tree. */
  async record(): Promise<string> {
    const { edits } = this.board;
    if (edits !== this.#edits) [this.#record, this.#edits] = [await this.board.write(), edits];
    return this.#record;
  }
  async address(): Promise<string> {
    const { board } = this;
    if (this.#id !== null && board.edits === 0) return ofTable(this.#game, this.#id, board.n);
    const { address, isLink } = await ofBoard(this.#game, await this.record(), this.#id, board.numberOf(board.current));
    this.isLong = !isLink;
    return address;
  }
  /** Has the address follow soon. */
  follow(): void {
    this.#cancel?.();
    this.#cancel = CLOCK.later(() => void this.#follow(), REST);
  }
  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }
  /** `isLatest`: whether nothing has changed since. */
  protected async keep(isLatest: () => boolean): Promise<void> {
    const address = await this.address();
    if (!isLatest()) return;
    history.replaceState(null, '', address);
    if (this.#id === null) noteLatest(this.#game, address);
  }
  async #follow(): Promise<void> {
    const turn = this.#cancel;
    try {
      await this.keep(() => turn !== null && turn === this.#cancel);
      this.problem = null;
    } catch (error) {
      this.problem = failure(error);
    }
  }
}
