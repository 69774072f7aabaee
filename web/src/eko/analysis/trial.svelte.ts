/** The position before a mistake, from which the reader looks for the better decision. */
import type { EntryInfo, TableMessage } from '../../protocol/messages';
import { AnalysisBoard } from '../../table/analysis/board.svelte';
import { EkoTableState } from '../table.svelte';
import { RULES } from './local';

export class Trial extends AnalysisBoard {
  /** `other`: the board shows a decision that is not the better one. */
  result = $state<'open' | 'found' | 'other'>('open');
  readonly table: EkoTableState;
  readonly #better: string;
  readonly #before: number;

  /** `before`: the decisions before the mistake. */
  constructor(record: string, before: number, better: readonly EntryInfo[]) {
    super(record, before, RULES);
    [this.#before, this.#better] = [before, better[0]?.notation ?? ''];
    this.table = new EkoTableState(this);
    this.table.open();
  }

  protected override shown(table: TableMessage): void {
    super.shown(table);
    const tried = table.log[this.#before] as { notation: string } | undefined;
    this.result = !tried ? 'open' : tried.notation === this.#better ? 'found' : 'other';
  }
  close(): void {
    this.table.close();
  }
}
