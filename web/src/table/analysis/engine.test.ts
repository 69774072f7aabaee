import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { stream } from '../../net/api';
import type { EvaluationInfo } from '../../protocol/messages';
import { AGAIN, Engine, type Evaluate, REST } from './engine.svelte';

const evaluate: Evaluate = async (plan, take, signal) => {
  for await (const one of stream<EvaluationInfo>('/engine', plan, signal)) take(one);
};

const known = (iterations: number, final = false): EvaluationInfo => ({
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
let answers: (() => Response)[] = [];
const lines =
  (...all: EvaluationInfo[]) =>
  () =>
    new Response(all.map((one) => `${JSON.stringify(one)}\n`).join(''));
const busy = () => new Response('{"code":"limit/busy","message":"busy"}', { status: 503 });
const asked = vi.fn((_path: string, _init: RequestInit) => Promise.resolve(answers.shift()!()));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal('fetch', asked);
  asked.mockClear();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
const read = async (): Promise<void> => {
  for (let i = 0; i < 20; i++) await new Promise((done) => setImmediate(done));
};

it('shows what arrives and stores it', async () => {
  const engine = new Engine(evaluate, later);
  const kept: number[] = [];
  answers = [lines(known(5), known(9, true))];
  engine.search({ record: 'r' }, null, ({ iterations }) => kept.push(iterations));
  await vi.advanceTimersByTimeAsync(REST);
  await read();
  expect([engine.evaluation?.iterations, kept]).toEqual([9, [5, 9]]);
  expect(JSON.parse(String(asked.mock.calls[0]?.[1].body))).toEqual({ record: 'r' });
});

it('searches only positions at which the reader rests, and none that it knows', async () => {
  const engine = new Engine(evaluate, later);
  engine.search({ record: 'a' }, null, vi.fn());
  engine.search({ record: 'b' }, known(7, true), vi.fn());
  await vi.advanceTimersByTimeAsync(2 * REST);
  expect([asked.mock.calls.length, engine.evaluation?.iterations]).toEqual([0, 7]);
  answers = [lines(known(3), known(8, true))];
  engine.search({ record: 'c' }, known(5), vi.fn());
  expect(engine.evaluation?.iterations).toBe(5);
  await vi.advanceTimersByTimeAsync(REST);
  await read();
  expect(engine.evaluation?.iterations).toBe(8);
});

it('says that the queue is full and asks again', async () => {
  const engine = new Engine(evaluate, later);
  answers = [busy, lines(known(4, true))];
  engine.search({}, null, vi.fn());
  await vi.advanceTimersByTimeAsync(REST);
  await read();
  expect(engine.problem).not.toBeNull();
  await vi.advanceTimersByTimeAsync(AGAIN);
  await read();
  expect([engine.problem, engine.evaluation?.iterations]).toEqual([null, 4]);
});
