import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Engine, type Evaluate, type Evaluation, REST } from './engine.svelte';

const known = (iterations: number, final = false): Evaluation => ({
  value: [1, 0],
  iterations,
  depth: 1,
  seconds: 1,
  lines: [],
  final,
});
const later = (task: () => void, milliseconds: number) => {
  const timer = setTimeout(task, milliseconds);
  return () => clearTimeout(timer);
};
const evaluate = vi.fn<Evaluate>();
const finds =
  (...all: Evaluation[]): Evaluate =>
  async (_plan, take) =>
    all.forEach(take);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  evaluate.mockClear();
});
afterEach(() => {
  vi.useRealTimers();
});

it('shows what arrives and stores it', async () => {
  const engine = new Engine(evaluate, later);
  const kept: number[] = [];
  evaluate.mockImplementation(finds(known(5), known(9, true)));
  engine.search({ record: 'r' }, null, ({ iterations }) => kept.push(iterations));
  await vi.advanceTimersByTimeAsync(REST);
  expect([engine.evaluation?.iterations, kept]).toEqual([9, [5, 9]]);
  expect(evaluate.mock.calls[0]?.[0]).toEqual({ record: 'r' });
});

it('searches only positions at which the reader rests, and none that it knows', async () => {
  const engine = new Engine(evaluate, later);
  engine.search({ record: 'a' }, null, vi.fn());
  engine.search({ record: 'b' }, known(7, true), vi.fn());
  await vi.advanceTimersByTimeAsync(2 * REST);
  expect([evaluate.mock.calls.length, engine.evaluation?.iterations]).toEqual([0, 7]);
  evaluate.mockImplementation(finds(known(3), known(8, true)));
  engine.search({ record: 'c' }, known(5), vi.fn());
  expect(engine.evaluation?.iterations).toBe(5);
  await vi.advanceTimersByTimeAsync(REST);
  expect(engine.evaluation?.iterations).toBe(8);
});

it('says that the engine could not be loaded, until something else is searched', async () => {
  const engine = new Engine(evaluate, later);
  evaluate.mockRejectedValue(new TypeError('Failed to fetch'));
  engine.search({ record: 'a' }, null, vi.fn());
  await vi.advanceTimersByTimeAsync(REST);
  expect(engine.problem).not.toBeNull();
  evaluate.mockImplementation(finds(known(4, true)));
  engine.search({ record: 'b' }, null, vi.fn());
  await vi.advanceTimersByTimeAsync(REST);
  expect([engine.problem, engine.evaluation?.iterations]).toEqual([null, 4]);
});
