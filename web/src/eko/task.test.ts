import { describe, expect, it } from 'vitest';
import type { Action } from '../engine/eko/action';
import { EkoPlace, ekoBook } from '../engine/eko/book';
import records from '../engine/eko/records.json';
import { readRecord } from '../engine/record';
import { moduleOf } from '../engine/testing';
import { type AnyLesson, lessonsOf, testLesson } from '../table/taskTesting';
import { RULES } from './analysis/local';
import { engine, startEngine } from './engine';
import { type Chapter, taskOf } from './task';

startEngine(moduleOf('eko'));

type Lesson = Chapter & AnyLesson<Action>;
const lessons = lessonsOf<Lesson>('eko');
const lesson = (name: string): Lesson => lessons.find((one) => one.name === name)!;
describe.each(lessons)('the lesson $name', (chapter) => testLesson(chapter, taskOf(chapter)));

const ASTRAY: Action = { type: 'move', from: '-1,0', to: '-1,1' };
const WEAK: Action = { type: 'move', from: '-1,0', to: '-2,3' };

describe('a task', () => {
  it('is missed by who has decided otherwise, and then over', () => {
    const play = taskOf(lesson('attack'));
    const { result, taken, table } = play([ASTRAY]);
    expect([result, taken, table.seats.map(({ yours }) => yours)]).toEqual(['missed', 1, [true, false]]);
    expect(() => play([ASTRAY, ASTRAY])).toThrow('over');
  });

  it('has no wrong decision before the last', () => {
    const { task } = lesson('attack');
    expect(() => taskOf(lesson('attack'))([WEAK, task.solution[0]!])).toThrow('E5.3');
  });

  it('of a chapter asks for several things at once', () => {
    const [build] = lesson('build').task.solution;
    const { goal } = lesson('build').task;
    const both = { ...lesson('build'), task: { goal: { ...goal, points: 12 } } };
    expect(taskOf(both)([build!]).result).not.toBe('reached');
    expect(taskOf({ ...both, task: { goal: { ...goal, points: 1, emperor: 'board' } } })([build!]).result).toBe(
      'reached',
    );
  });
});

describe('a task of a game', async () => {
  const WORDS = { en: { title: 'A game', other: 'Not that.' }, de: { title: 'Eine Partie' } };
  const start = readRecord(records[0]!.text, ekoBook(engine())).nodes[0]!.place;
  const line = [start];
  for (let n = 0; n < 8; n++) line.push(line[n]!.play(line[n]!.actors[0]!, line[n]!.position.legal()[0]!));
  const decided = line.slice(0, -1).map((place) => ({
    place,
    seat: place.actors[0]!,
    action: place.position.legal()[0]!,
    other: place.position.legal()[1]!,
  }));
  /** The game, and a commented variation to its first decision. */
  const tree = [
    {},
    ...decided.map(({ place, action }, n) => ({
      parent: n === 0 ? 0 : n === 1 ? 1 : n + 1,
      notation: place.format(action),
    })),
  ];
  tree.splice(2, 0, { parent: 0, notation: start.format(decided[0]!.other), comment: 'Not here.' } as never);
  const record = await RULES.write({ record: records[0]!.text, tree });

  it.each([0, 1])('is to find the decisions of seat %i in the main line', (seat) => {
    const play = taskOf({ name: 'x', record, task: { seat }, words: WORDS });
    const own = decided.filter((one) => one.seat === seat).map(({ action }) => action);
    expect([...own, null].map((_, count) => play(own.slice(0, count)).result)).toEqual([
      ...own.map(() => 'open'),
      'reached',
    ]);
  });

  it('answers another decision with the comment on it, or else with the text for others', () => {
    const { seat, other, place } = decided[0]!;
    const play = taskOf({ name: 'x', record, task: { seat }, words: WORDS });
    const answered = play([other]);
    expect([answered.result, answered.taken, answered.says]).toEqual(['open', 0, { en: 'Not here.', de: 'Not here.' }]);
    expect(play([place.position.legal()[2]!]).says).toEqual({ en: 'Not that.' });
  });

  it('begins where its seat decides first', () => {
    const { table } = taskOf({ name: 'x', record, task: { seat: decided[1]!.seat }, words: WORDS })([]);
    expect(table.state.position).toEqual(EkoPlace.at(line[1]!.position).position.toJson());
  });
});
