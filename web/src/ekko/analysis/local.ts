/** Analysis boards of EKKO by the engine of this page; the server values the cards. */
import type { Action } from '../../engine/ekko/action';
import { type EkkoPlace, ekkoBook } from '../../engine/ekko/book';
import { stream } from '../../net/api';
import type { EvaluationInfo } from '../../protocol/messages';
import type { BoardRules } from '../../table/analysis/board.svelte';
import { localRules } from '../../table/analysis/local';
import { engine } from '../engine';
import { lines, tableAfter } from '../local';
import type { Options } from '../protocol';

const UNTIMED: Omit<Options, 'players' | 'target'> = {
  misplays: false,
  reaction: 3,
  turn_clock: null,
  calm: false,
  window: null,
  hints: false,
};

export const RULES: BoardRules = {
  ...localRules<Action, EkkoPlace, Options>({
    name: 'ekko',
    lines,
    book: () => ekkoBook(engine()),
    isPlain: (record) => /^\[(Dealer|Position) /m.test(record) && !/^\[Live "yes"\]/m.test(record),
    optionsOf: ({ position: { players, target } }) => ({ players, target, ...UNTIMED }),
    tableAfter,
  }),
  async evaluate(plan, take, signal) {
    for await (const one of stream<EvaluationInfo>('/api/ekko/analysis/engine', plan, signal)) take(one);
  },
};
