import { expect, it } from 'vitest';
import type { Socket } from '../connection.svelte';
import { updateTo } from '../testing';
import { type PlainState, PlainTable } from './table.svelte';

const sent: Record<string, unknown>[] = [];
const SEAT = { seat: 0, name: 'Ada', colour: 0, kind: 'here' as const, bot: null, taken: true, yours: true, online: true };
const STATE: PlainState = {
  asked: [0],
  choices: { '0': [{ action: { type: 'take', count: 2 }, notation: 'x2' }] },
  outcome: null,
  rematch: { agreed: [], table: null },
};

function sit(): { table: PlainTable; say: (message: object) => void } {
  sent.length = 0;
  const socket: Socket = { onopen: null, onmessage: null, onclose: null, send: (text) => void sent.push(JSON.parse(text) as Record<string, unknown>), close: () => undefined };
  const table = new PlainTable({ open: () => socket, later: () => () => undefined, key: () => 'key' }, { pace: () => null });
  table.open();
  socket.onopen?.();
  const say = (message: object): void => socket.onmessage?.({ data: JSON.stringify(message) });
  say({ type: 'table', id: 'abc', game: 'nim', version: 4, pace: 700, seats: [SEAT], options: {}, state: STATE, log: [] });
  return { table, say };
}

it('offers what the server lists, and sends what was chosen', () => {
  const { table } = sit();
  expect(table.game).toBe('nim');
  table.act(table.asked!.choices[0]!);
  expect(sent).toEqual([{ type: 'act', version: 4, seat: 0, action: { type: 'take', count: 2 }, key: 'key' }]);
});

it('follows the log, and asks nothing where a game lists no choices', () => {
  const { table, say } = sit();
  const { rematch, outcome } = STATE;
  say({ type: 'error', key: 'key', code: 'table/stale', message: 'late' });
  expect(table.notice?.code).toBe('table/stale');
  say(updateTo({ rematch, outcome }, { version: 5, base: 4 }, { keep: 0, entries: [{ n: 1, seat: 0, notation: 'x2' }] }, ['asked', 'choices']));
  expect(table.log.map(({ notation }) => notation)).toEqual(['x2']);
  expect([table.asked, table.notice]).toEqual([null, null]);
});
