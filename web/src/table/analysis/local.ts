/** Analysis boards by the engine of this page: lines of play, and records with variations. */
import {
  type Book,
  type GameRecord,
  mainLine,
  RecordError,
  type RecordNode,
  readRecord,
  writeRecord,
} from '../../engine/record';
import { Refused } from '../../net/api';
import type { Tried } from '../../net/protocol';
import type { Json, LinePlan } from '../../protocol/messages';
import { type About, type Line, type Lines, nodesOf, type Playable, rootOf, seatsOf } from '../line';
import { begin } from './begin';
import type { BoardRules } from './board.svelte';
import type { TreeNode } from './tree';

/** What a game brings to its boards. */
export interface LocalGame<Action, P extends Playable<Action>, Options> {
  readonly name: string;
  readonly lines: Lines<Action, P>;
  book(): Book<Action, P>;
  /** Whether the page can read a record; if not, the server draws its start or makes one of decisions in turn. */
  isPlain(record: string): boolean;
  /** tags: of the record. */
  optionsOf(start: P, tags: Readonly<Record<string, string>>): Options;
  tableAfter(line: Line<P>, about: About<Options>): unknown;
}

/** Boards of a game, but for their engine. line: plays the line of a plan. */
export function localRules<Action, P extends Playable<Action>, Options>(
  game: LocalGame<Action, P, Options>,
): Omit<BoardRules, 'evaluate'> & { line(plan: LinePlan): Line<P> } {
  type Node = RecordNode<Action, P>;
  type Record = GameRecord<Action, P>;
  /** The record that was read last: a board reads the same one again and again. */
  let latest: { text: string; record: Record } | undefined;

  function recordOf(text: string): Record {
    if (latest?.text !== text) {
      try {
        latest = { text, record: readRecord(text, game.book()) };
      } catch (error) {
        throw error instanceof RecordError ? new Refused('record', error.message) : error;
      }
    }
    return latest.record;
  }

  const mainOf = (nodes: readonly Node[]): Node[] => mainLine(nodes).map((number) => nodes[number]!);

  /** The record of a tree, with the times and the result of its start as far as they still hold. */
  function recordAfter(start: Record, nodes: readonly Node[]): string {
    const [given, own] = [mainOf(start.nodes), mainOf(nodes)];
    const first = own.findIndex(({ place }, n) => place !== given[n]?.place);
    const same = first < 0 ? own.length : first;
    const isSame = same === own.length && same === given.length;
    const timed = new Map(
      own.slice(0, same).map((node, n) => [node, { ...node, milliseconds: given[n]!.milliseconds }]),
    );
    const last = (own.at(-1) ?? nodes[0]!).place;
    return writeRecord(
      {
        tags: start.tags,
        nodes: nodes.map((node) => timed.get(node) ?? node),
        outcome: last.result ?? (isSame ? start.outcome : undefined),
      },
      game.book(),
    );
  }

  /** The main line alone. */
  const lineOf = ({ nodes }: Record): Node[] => [
    rootOf(nodes[0]!.place),
    ...mainOf(nodes).map((node, parent): Node => ({ ...node, parent, sign: '', comment: '' })),
  ];

  /** The variations as a board reads them. */
  function treeOf({ nodes }: Record): TreeNode[] {
    return nodes.map(({ parent, seat, action, sign, comment }, number) => ({
      ...(number > 0 && parent !== number - 1 && { parent }),
      ...(action && { entry: game.lines.step(nodes[parent]!.place, seat, action).entry }),
      ...(sign && { sign }),
      ...(comment && { comment }),
    }));
  }

  function line({ record: text, after, decisions = [] }: LinePlan): Line<P> {
    const { nodes } = recordOf(text ?? '');
    const given = mainOf(nodes).slice(0, after ?? undefined);
    return game.lines.play(nodes[0]!.place, [
      ...given.map(({ seat, action }) => ({ seat, action: action as Json })),
      ...decisions,
    ]);
  }

  return {
    line,
    open: async (text) => {
      const record = recordOf(game.isPlain(text) ? text : (await begin(game.name, { record: text })).record);
      return { record: recordAfter(record, lineOf(record)), tree: treeOf(record) };
    },
    play: (plan) => {
      const [played, record] = [line(plan), recordOf(plan.record ?? '')];
      const { start } = played;
      const names = Array.from({ length: start.position.players }, (_, seat) => record.tags[`Seat${seat}`] ?? '');
      const about = {
        id: 'analysis',
        seats: seatsOf(names.length, names),
        options: game.optionsOf(start, record.tags),
      };
      return {
        refusal: played.refusal,
        table: game.tableAfter(played, about) as Tried['table'],
        record: recordAfter(record, nodesOf(played)),
      };
    },
    write: async ({ record: text, tree }) => {
      const record = recordOf(text);
      const nodes: Node[] = [];
      for (const [number, { parent = number - 1, notation = '', sign = '', comment = '' }] of tree.entries()) {
        const from = nodes[parent]?.place ?? record.nodes[0]!.place;
        const [seat, action] = number === 0 ? [-1, undefined] : [from.actors[0]!, from.parse(notation)];
        nodes.push({
          parent: Math.max(0, parent),
          seat,
          action,
          place: action ? from.play(seat, action) : from,
          sign,
          comment,
        });
      }
      return recordAfter(record, nodes);
    },
  };
}
