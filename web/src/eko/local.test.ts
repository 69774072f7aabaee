import { describe, expect, it, vi } from 'vitest';
import { EkoPlace, ekoBook } from '../engine/eko/book';
import type { PositionJson } from '../engine/eko/position';
import records from '../engine/eko/records.json';
import { readRecord } from '../engine/record';
import { moduleOf } from '../engine/testing';
import { ConditionalMovesTable } from '../table/conditionalMoves/conditionalMoves.svelte';
import { seatsOf } from '../table/line';
import { engine, startEngine } from './engine';
import { play, playedOn, tableAfter } from './local';
import type { Action, Options, State } from './protocol';
import { EkoTableState } from './table.svelte';

startEngine(moduleOf('eko'));
vi.stubGlobal('location', { protocol: 'http:', host: 'localhost' });

const START = readRecord(records[0]!.text, ekoBook(engine())).nodes[0]!.place.position;
const DRAFT = readRecord(records[3]!.text, ekoBook(engine())).nodes[0]!.place.position;
const KEEP: Action = { type: 'swap' };
const END: Action = { type: 'end' };
const OPTIONS: Options = { players: 2, variants: [], setup: 'standard' };

/** The decisions that a choice of every place gives, as they are sent. */
function decisions(start: EkoPlace, ...choose: ((place: EkoPlace) => Action)[]): { seat: number; action: never }[] {
  let place = start;
  return choose.map((one) => {
    const [seat, action] = [place.actors[0]!, one(place)];
    place = place.play(seat, action);
    return { seat, action: action as never };
  });
}
const shown = (start: EkoPlace, line: readonly { seat: number; action: never }[]) => {
  const about = { id: 'x', seats: seatsOf(start.position.players), options: OPTIONS };
  return tableAfter(play(start, line), about);
};
/** Goes with the emperor to and fro. */
const step = (from: string, to: string) => (): Action => ({ type: 'move', from, to });

/** Two lone Emperors in a row, each with a space to step aside to; the other sand lies behind it. */
function lone(turnLimit?: number): EkoPlace {
  const tiles = {
    T: { terrain: '......C', cells: [0, 1, 2, 3, 4, 5, 6].map((q) => [q, 0] as const) },
    S: { terrain: '.'.repeat(13), cells: Array.from({ length: 13 }, (_, n) => [0, n - 6] as const), copies: 2 },
  };
  const placed = [['T', 0, 0, 0] as const, ['S', 5, 7, 0] as const, ['S', 5, 20, 0] as const];
  const position: PositionJson = {
    ...{ game: 'eko', version: 1, tileset: { groups: {}, tiles }, players: 2, tiles: placed },
    stacks: { '0,0': { owner: 0, height: 1, emperor: true }, '5,0': { owner: 1, height: 1, emperor: true } },
    ...{
      buildings: {},
      reserve: [0, 1].map(() => ({ discs: 0, emperor: false })),
      removed: [15, 15],
      captives: [[], []],
    },
    turn: { number: 1, player: 0, phase: 'action' },
  };
  return EkoPlace.at(engine().position(position), turnLimit);
}
const ROUND = [step('0,0', '1,0'), step('5,0', '4,0'), step('1,0', '0,0'), step('4,0', '5,0')];

describe('a table that one person plays alone', () => {
  it('has a log, and takes back what was decided in the open turn', () => {
    const start = EkoPlace.at(START);
    const first = (place: EkoPlace): Action => place.position.legal().find(({ type }) => type === 'move')!;
    const line = decisions(
      start,
      () => KEEP,
      () => KEEP,
      first,
    );
    const table = shown(start, line);
    expect(table.log.map(({ n, turn, seat, notation }) => [n, turn, seat, notation])).toEqual([
      [1, 0, 0, 'keep'],
      [2, 0, 1, 'keep'],
      [3, 1, 0, start.format(line[2]!.action)],
    ]);
    expect(table.log[2]).toMatchObject({ effect: 'regroup', path: expect.any(Array) as unknown });
    const asked = table.state.position.turn.phase === 'after';
    expect([table.state.asked, table.state.undo]).toEqual([[asked ? 0 : 1], asked ? [0] : []]);
    expect(shown(start, line.slice(0, 1)).state).toMatchObject({ asked: [1], undo: [], outcome: null });
  });

  it('takes a placement of the draft back until the next one', () => {
    const start = EkoPlace.at(DRAFT);
    const place = (at: EkoPlace): Action => at.position.legal()[0]!;
    expect(shown(start, decisions(start, place)).state.undo).toEqual([1]);
    expect(shown(start, decisions(start, place, place)).state.undo).toEqual([2]);
  });

  it('ends by a third repetition, and at the limit of turns', () => {
    const line = decisions(lone(), ...ROUND, ...ROUND);
    const { state } = shown(lone(), line);
    expect([state.repetition, state.asked, state.outcome]).toEqual([
      3,
      [],
      { winners: [], reason: 'repetition', rule: 'E11.6' },
    ]);
    expect(shown(lone(), line.slice(0, 4)).state).toMatchObject({ repetition: 2, outcome: null });
    const more = play(lone(), [...line, { seat: 0, action: END as never }]);
    expect([more.steps.length, more.refusal?.code]).toEqual([8, 'table/game-over']);
    const places = play(lone(), line).steps.map(({ place }) => place);
    expect(places[6]!.drawn).toEqual([line[7]!.action]);
    expect(places[2]!.drawn).toEqual([]);
    expect(shown(lone(3), line.slice(0, 3)).state.outcome).toEqual({
      winners: [],
      reason: 'turn-limit',
      rule: 'E11.5',
    });
  });

  it('says which rule refuses the last decision, and throws for an earlier one', () => {
    const start = EkoPlace.at(START);
    const wrong = { seat: 0, action: END as never };
    const { steps, refusal } = play(start, [...decisions(start, () => KEEP), wrong]);
    expect([steps.length, refusal?.code, refusal?.rule]).toEqual([1, 'action/illegal', 'E3.3']);
    expect(() => play(start, [wrong, wrong])).toThrow('E12');
  });
});

it('plays a real table on by all seats, without its clock', async () => {
  const place = EkoPlace.at(START);
  const real = tableAfter(play(place, []), {
    id: 'real',
    seats: seatsOf(2, ['Ada', 'Bo'], 1),
    options: { ...OPTIONS, clock: { days: 3, up: 'lose' } },
  });
  const moves = new ConditionalMovesTable(1, playedOn(real));
  const table = new EkoTableState(moves);
  table.open();
  await vi.waitFor(() => expect(table.asked?.seat).toBe(0));
  expect([table.yours, table.options?.clock, table.state?.position]).toEqual([
    [0, 1],
    undefined,
    (real.state as State).position,
  ]);
  const keep = (): void => table.act(table.asked!.choices.find(({ effect }) => effect === 'keep')!, false);
  keep();
  expect([moves.decisions.length, moves.variation, table.asked?.seat]).toEqual([1, [], 1]);
  keep();
  expect(moves.variation.length).toBe(2);
  await moves.again();
  expect([moves.decisions, table.asked?.seat]).toEqual([[], 0]);
  table.close();
});
