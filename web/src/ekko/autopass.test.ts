import { beforeEach, describe, expect, it } from 'vitest';
import { AutoPass, LEAST, WITHIN } from './autopass.svelte';

let clock: number;
let tasks: { at: number; task: () => void }[];
let passes: number[];

const later = (task: () => void, milliseconds: number): (() => void) => {
  const due = { at: clock + milliseconds, task };
  tasks.push(due);
  return () => void (tasks = tasks.filter((one) => one !== due));
};
function pass(milliseconds: number): void {
  clock += milliseconds;
  const due = tasks.filter(({ at }) => at <= clock);
  tasks = tasks.filter(({ at }) => at > clock);
  due.forEach(({ task }) => task());
}
const looksAway = (share = 0.5): AutoPass => new AutoPass(later, () => share, () => passes.push(clock));

beforeEach(() => {
  [clock, tasks, passes] = [0, [], []];
});

describe('who looks away', () => {
  it('passes once for each question, at a moment of chance', () => {
    const away = looksAway(0.25);
    away.look();
    away.asked(true);
    away.asked(true);
    pass(LEAST + WITHIN);
    expect(passes).toHaveLength(1);
    away.asked(false);
    pass(10_000);
    expect(passes).toHaveLength(1);
    away.asked(true);
    pass(LEAST + WITHIN / 4 - 1);
    expect(passes).toHaveLength(1);
    pass(1);
    expect(passes).toHaveLength(2);
  });

  it('does not pass at the moment of looking away', () => {
    const away = looksAway(0);
    away.asked(true);
    away.look();
    pass(LEAST - 1);
    expect(passes).toEqual([]);
    pass(1);
    expect(passes).toEqual([LEAST]);
  });

  it('is asked again as soon as they look up, and nothing goes out after a question', () => {
    const away = looksAway();
    away.look();
    away.asked(true);
    away.up();
    pass(10_000);
    away.look();
    away.asked(false);
    pass(10_000);
    expect(passes).toEqual([]);
  });
});
