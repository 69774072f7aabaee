/** What every analysis board has beside its game: the tree, the engine with its switch, the address that follows. */
import { CLOCK } from '../../net/connection.svelte';
import { Stored } from '../../ui/settings.svelte';
import { AnalysisBoard, type BoardRules } from './board.svelte';
import { Engine } from './engine.svelte';
import type { ChapterOpened, Opened } from './opened';
import { Saved } from './saved.svelte';

export class Desk {
  readonly id: string | null;
  readonly chapter: ChapterOpened | undefined;
  readonly board: AnalysisBoard;
  readonly saved: Saved;
  readonly engine: Engine;
  readonly #switch = new Stored('ekoes.engine', true);
  /** Where comments are written. */
  field = $state<HTMLTextAreaElement>();

  constructor(game: string, { id, n, at, record, isConverted, chapter }: Opened, rules: BoardRules) {
    [this.id, this.chapter] = [id, chapter];
    this.board = new AnalysisBoard(record, n, rules, at);
    this.saved = chapter?.savedBy(this.board) ?? new Saved(game, isConverted ? null : id, record, this.board);
    this.engine = new Engine(rules.evaluate, CLOCK.later);
  }

  /** Whether the engine is on. */
  get isOn(): boolean {
    return this.#switch.value;
  }
  toggle = (): void => {
    this.#switch.value = !this.isOn;
  };
  /** Returns whether the key is one of the board's. */
  press = (key: string): boolean => {
    if (key === 'l') this.toggle();
    else if (key === 'c') this.field?.focus();
    else return this.board.press(key);
    return true;
  };
  /** Has the engine evaluate the shown position, if it is on and there is something to decide. */
  evaluate(isOpen: boolean): void {
    const { current, plan } = this.board;
    if (this.isOn && isOpen) this.engine.search(plan, current.evaluation, (found) => (current.evaluation = found));
    else this.engine.stop();
  }
  /** Evaluates the shown position from the beginning. */
  again(): void {
    this.board.current.evaluation = null;
    this.evaluate(true);
  }
  stop(): void {
    this.engine.stop();
    this.saved.stop();
  }
}
