/** Analysis boards of Ekö by the engine of this page. */

import type { Evaluation } from '../../engine/analysis';
import type { Action } from '../../engine/eko/action';
import { type EkoPlace, ekoBook } from '../../engine/eko/book';
import type { EntryInfo } from '../../protocol/messages';
import type { BoardRules } from '../../table/analysis/board.svelte';
import { localRules } from '../../table/analysis/local';
import { engine, searches } from '../engine';
import { lines, step, tableAfter } from '../local';
import { cores } from '../preferences.svelte';
import type { Options } from '../protocol';

/** Of an evaluation. */
const [SECONDS, LINES] = [10, 3];
/** Decisions of a variation that are described, at most. */
const LONGEST_VARIATION = 8;

const { line, ...boards } = localRules<Action, EkoPlace, Options>({
  name: 'eko',
  lines,
  book: () => ekoBook(engine()),
  isPlain: (record) => /^\[(Tiles|Position) /m.test(record),
  optionsOf: ({ position: { players } }, { Seed }) => ({
    players,
    variants: [],
    setup: 'standard',
    ...(Seed !== undefined && { seed: Number(Seed) }),
  }),
  tableAfter,
});

/** The decisions of a variation as entries of a log. */
function entriesOf(place: EkoPlace, actions: readonly Action[]): EntryInfo[] {
  const entries: EntryInfo[] = [];
  for (const action of actions.slice(0, LONGEST_VARIATION)) {
    const next = step(place, place.actors[0]!, action);
    entries.push(next.entry);
    if (next.place.result) break;
    place = next.place;
  }
  return entries;
}

export const RULES: BoardRules = {
  ...boards,
  async evaluate(plan, take, signal) {
    const { start, steps } = line(plan);
    const place = steps.at(-1)?.place ?? start;
    const workers = await searches();
    if (signal.aborted) return;
    const wanted = { seconds: SECONDS, lines: LINES, workers: cores() };
    const show = ({ lines, ...found }: Evaluation): void => {
      take({
        ...found,
        lines: lines.map(({ actions, ...line }) => ({ ...line, entries: entriesOf(place, actions) })),
      });
    };
    workers.search({ position: place.position.toJson(), drawn: place.drawn }, wanted, show, signal);
  },
};
