import { describe, expect, it } from 'vitest';
import { moduleOf } from '../engine/testing';
import { type AnyLesson, lessonsOf, testLesson } from '../table/taskTesting';
import { startEngine } from './engine';
import type { Entry, State } from './protocol';
import { type Chapter, taskOf } from './task';

startEngine(moduleOf('ekko'));

type Played = ReturnType<ReturnType<typeof taskOf>>;
type Action = Parameters<ReturnType<typeof taskOf>>[0][number];
type Lesson = Chapter & AnyLesson<Action>;
const lessons = lessonsOf<Lesson>('ekko');
const lesson = (name: string): Lesson => lessons.find((one) => one.name === name)!;
describe.each(lessons)('the lesson $name', (chapter) => testLesson(chapter, taskOf(chapter)));

const seen = ({ table }: Played): State => ({ ...table.state, ...table.own }) as unknown as State;
const logOf = ({ table }: Played): Entry[] => table.log as unknown as Entry[];
const solved = (name: string): Played => taskOf(lesson(name))(lesson(name).task.solution);

describe('a task of a race', () => {
  it('shows the hand of its reader alone', () => {
    const { table } = taskOf(lesson('mirror'))([]);
    expect(Object.keys(seen({ table } as Played).hands)).toEqual(['0']);
    expect(table.seats.map(({ yours }) => yours)).toEqual([true, false, false]);
  });

  it('tells by how much a mirror was late', () => {
    const played = solved('late');
    expect(logOf(played).map(({ seat, verdict, notation, behind }) => [seat, verdict, notation, behind])).toEqual([
      [1, 'play', '40', undefined],
      [0, 'late', 'late:25', 300],
    ]);
    expect(seen(played).receipt).toEqual({
      n: 2,
      winner: { seat: 1, card: 40, kind: 'play' },
      losers: [{ seat: 0, card: 25, kind: 'mirror', behind: 300 }],
    });
    expect(seen(played).hands['0']?.hand).toContain(25);
  });

  it('takes a card back that was wrong, where that costs something', () => {
    expect(seen(solved('misplay')).hands['0']).toMatchObject({ hand: [25, 30, 49, 66], blocked: [49] });
  });

  it('waits for the effect of a mirror', () => {
    const [mirror] = lesson('mirror').task.solution;
    const played = taskOf(lesson('mirror'))([mirror!]);
    expect(seen(played)).toMatchObject({ stage: 'effect', claim: { seat: 0, card: 73, on: 37 } });
  });

  it('ends the round once the time to answer a last card is over', () => {
    expect(seen(solved('scoring')).rounds).toMatchObject([{ points: [0, 3, 4], reason: 'last-card', by: 0 }]);
  });
});
