/** Verdicts on what the solver of a puzzle of Ekö has decided (bots/verdicts.py). */
import { type KernelArray, Kernels } from '../module';
import { EKO } from '../records';
import type { EkoPosition } from './position';
import { type TurnArrays, turnArrays } from './search';

const { VERDICTS, WIN } = EKO;
const THEMES = Object.keys(EKO.Theme).map((name) => name.toLowerCase());

/** `right`: the aim is reached; `wrong`: it is out of reach; `open`: the solver goes on. */
export type Verdict = (typeof VERDICTS)[number];

/** Judges puzzles, with a memory of its own. */
export class PuzzleJudge {
  private readonly kernels: Kernels<typeof EKO>;
  private readonly board: KernelArray;
  private readonly start: KernelArray;
  private readonly now: KernelArray;
  private readonly work: KernelArray;
  private readonly turns: TurnArrays;

  constructor(module: WebAssembly.Module) {
    const kernels = (this.kernels = new Kernels(module, EKO));
    [this.board, this.work] = [kernels.array('BOARD', 1), kernels.array('WORK', 1)];
    [this.start, this.now] = [kernels.array('STATE', 1), kernels.array('STATE', 1)];
    this.turns = turnArrays(kernels);
  }

  /** The verdict on a position after some decisions of the player who is in turn at the start. */
  judge(theme: string, start: EkoPosition, now: EkoPosition): Verdict {
    this.board.bytes.set(now.layout.board);
    this.start.bytes.set(start.state);
    this.now.bytes.set(now.state);
    const { kernels, board, work } = this;
    return VERDICTS[
      kernels.number('judge_puzzle', board, this.start, this.now, work, THEMES.indexOf(theme), [...this.turns, WIN])
    ]!;
  }
}
