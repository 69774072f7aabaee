/** Analysis boards of EKKO by the engine of this page. */
import type { Action } from '../../engine/ekko/action';
import { type EkkoPlace, ekkoBook } from '../../engine/ekko/book';
import type { Values } from '../../engine/ekko/values';
import type { BoardRules } from '../../table/analysis/board.svelte';
import { localRules } from '../../table/analysis/local';
import { engine, valueDecisions } from '../engine';
import { lines, step, tableAfter } from '../local';
import type { Options } from '../protocol';

const UNTIMED: Omit<Options, 'players' | 'target'> = {
  misplays: false,
  reaction: 3,
  turn_clock: null,
  calm: false,
  window: null,
  hints: false,
};

const { line, ...boards } = localRules<Action, EkkoPlace, Options>({
  name: 'ekko',
  lines,
  book: () => ekkoBook(engine()),
  isPlain: (record) => /^\[(Dealer|Position) /m.test(record) && !/^\[Live "yes"\]/m.test(record),
  optionsOf: ({ position: { players, target } }) => ({ players, target, ...UNTIMED }),
  tableAfter,
});

export const RULES: BoardRules = {
  ...boards,
  async evaluate(plan, take, signal) {
    const { start, steps } = line(plan);
    const place = steps.at(-1)?.place ?? start;
    const begun = performance.now();
    const show = ({ deals, decisions, game, round }: Values, final: boolean): void =>
      take({
        value: game,
        round,
        iterations: deals,
        depth: 0,
        seconds: (performance.now() - begun) / 1000,
        lines: decisions.map(({ action, ...worth }) => ({
          ...worth,
          value: [],
          iterations: deals,
          entries: [step(place, place.actors[0]!, action).entry],
        })),
        final,
      });
    await valueDecisions(place.position.toJson(true), show, signal);
  },
};
