/** The position before a mistake, from which the reader looks for the better decision. */
import type { AnyTable } from '../../shell/simulated.svelte';
import { soloTable, type Table } from '../table.svelte';
import { AnalysisBoard, type Play } from '../../shell/analysis/board.svelte';
import type { Foretold } from '../../shell/analysis/engine.svelte';

export class Trial extends AnalysisBoard {
  /** `other`: a decision that is not the better one stands on the board. */
  result = $state<'open' | 'found' | 'other'>('open');
  readonly table: Table;
  readonly #better: string;
  readonly #before: number;

  /** `before`: the decisions before the mistake. */
  constructor(record: string, before: number, better: readonly Foretold[], play: Play) {
    super(record, before, play);
    [this.#before, this.#better] = [before, better[0]?.notation ?? ''];
    this.table = soloTable(this.transport);
    this.table.open();
  }

  protected override shown(table: AnyTable): void {
    super.shown(table);
    const tried = table.log[this.#before] as { notation: string } | undefined;
    this.result = !tried ? 'open' : tried.notation === this.#better ? 'found' : 'other';
  }
  close(): void {
    this.table.close();
  }
}
