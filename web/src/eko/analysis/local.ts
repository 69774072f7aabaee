/** Analysis boards of Ekö by the engine of this page: lines of play, and records with variations. */
import { ekoBook, type EkoPlace } from '../../engine/eko/book';
import { mainLine, readRecord, RecordError, writeRecord, type GameRecord, type RecordNode } from '../../engine/record';
import type { Evaluation } from '../../engine/analysis';
import type { Action } from '../../engine/eko/action';
import type { EntryInfo, LineInfo, LinePlan, TreeNodeInfo } from '../../protocol/messages';
import { Refused } from '../../shell/api';
import { serverRules, type BoardRules } from '../../shell/analysis/board.svelte';
import { engine, searches } from '../engine';
import { play, seatsOf, step, tableAfter, type Line } from '../local';

/** Of an evaluation. */
const [SECONDS, LINES, MOST_WORKERS] = [10, 3, 4];
/** Decisions of a variation that are described, at most. */
const LONGEST_VARIATION = 8;

type Node = RecordNode<Action, EkoPlace>;
type Record = GameRecord<Action, EkoPlace>;

/** What was read latest: a board asks for one record again and again. */
let latest: { text: string; record: Record } | undefined;

function recordOf(text: string): Record {
  if (latest?.text !== text) {
    try {
      latest = { text, record: readRecord(text, ekoBook(engine())) };
    } catch (error) {
      throw error instanceof RecordError ? new Refused('record', error.message) : error;
    }
  }
  return latest.record;
}

const mainOf = ({ nodes }: Record): Node[] => mainLine(nodes).map((number) => nodes[number]!);

/** The record of a main line, with the times and the result of the start as far as they hold. */
function recordAfter(start: Record, nodes: readonly Node[]): string {
  const [given, own] = [mainOf(start), mainLine(nodes).map((number) => nodes[number]!)];
  const first = own.findIndex(({ place }, n) => place !== given[n]?.place);
  const same = first < 0 ? own.length : first;
  const isSame = same === own.length && same === given.length;
  const timed = new Map(own.slice(0, same).map((node, n) => [node, { ...node, milliseconds: given[n]!.milliseconds }]));
  const last = (own.at(-1) ?? nodes[0]!).place;
  return writeRecord({ tags: start.tags, nodes: nodes.map((node) => timed.get(node) ?? node), outcome: last.result ?? (isSame ? start.outcome : undefined) }, ekoBook(engine()));
}

function nodesOf({ start, steps }: Line): Node[] {
  const root: Node = { parent: 0, seat: -1, action: undefined, place: start, sign: '', comment: '' };
  return [root, ...steps.map(({ place, entry: { seat, action } }, parent): Node => ({ parent, seat, action: action as unknown as Action, place, sign: '', comment: '' }))];
}

/** The variations as a board reads them. */
function treeOf({ nodes }: Record): TreeNodeInfo[] {
  return nodes.map(({ parent, seat, action, sign, comment }, number) => ({
    ...(number > 0 && parent !== number - 1 && { parent }),
    ...(action && { entry: step(nodes[parent]!.place, seat, action).entry }),
    ...(sign && { sign }),
    ...(comment && { comment }),
  }));
}

/** Plays a line on the record of a plan. */
function played({ record: text, after, decisions = [] }: LinePlan): { record: Record; line: Line } {
  const record = recordOf(text ?? '');
  const given = mainOf(record).slice(0, after ?? undefined);
  const line = play(record.nodes[0]!.place, [...given.map(({ seat, action }) => ({ seat, action: action as unknown as LineAction })), ...decisions]);
  return { record, line };
}
type LineAction = NonNullable<LinePlan['decisions']>[number]['action'];

function lineOf(plan: LinePlan): LineInfo {
  const { record, line } = played(plan);
  const { players } = line.start.position;
  const { tags } = record;
  const options = { players, variants: [], setup: 'standard', ...(tags['Seed'] !== undefined && { seed: Number(tags['Seed']) }) };
  const names = Array.from({ length: players }, (_, seat) => tags[`Seat${seat}`] ?? '');
  const table = tableAfter(line, { id: 'analysis', seats: seatsOf(players, names), options });
  return { refusal: line.refusal, table: table as unknown as LineInfo['table'], record: recordAfter(record, nodesOf(line)), ...(plan.tree && { tree: treeOf(record) }) };
}

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

/** A start that was drawn is the server's to draw. */
const isDrawn = ({ record }: LinePlan): boolean => !/^\[(Tiles|Position) /m.test(record ?? '');

export const RULES: BoardRules = {
  play: async (plan) => (isDrawn(plan) ? serverRules('eko').play(plan) : lineOf(plan)),
  write: async ({ record: text, tree }) => {
    const record = recordOf(text);
    const nodes: Node[] = [];
    for (const [number, { parent = number - 1, notation = '', sign = '', comment = '' }] of tree.entries()) {
      const from = nodes[parent]?.place ?? record.nodes[0]!.place;
      const [seat, action] = number === 0 ? [-1, undefined] : [from.actors[0]!, from.parse(notation)];
      nodes.push({ parent: Math.max(0, parent), seat, action, place: action ? from.play(seat, action) : from, sign, comment });
    }
    return recordAfter(record, nodes);
  },
  async evaluate(plan, take, signal) {
    const { start, steps } = played(plan).line;
    const place = steps.at(-1)?.place ?? start;
    const workers = await searches();
    if (signal.aborted) return;
    const wanted = { seconds: SECONDS, lines: LINES, workers: Math.max(1, Math.min(MOST_WORKERS, navigator.hardwareConcurrency - 1)) };
    const show = ({ lines, ...found }: Evaluation): void => {
      take({ ...found, value: [...found.value], lines: lines.map(({ actions, value, ...line }) => ({ ...line, value: [...value], entries: entriesOf(place, actions) })) });
    };
    workers.search({ position: place.position.toJson(), drawn: place.drawn }, wanted, show, signal);
  },
};
