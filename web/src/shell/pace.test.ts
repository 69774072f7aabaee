import { expect, it, vi } from 'vitest';
import type { Socket } from './connection.svelte';
import { choosePace, chosenPace } from './pace';
import type { PaceWish } from './protocol';
import { PlainTable } from './plain/table.svelte';

const BOT = { seat: 2, name: '', colour: 2, kind: 'bot' as const, bot: 'largest', taken: true, yours: false, online: true };
const ADA = { seat: 0, name: 'Ada', colour: 0, kind: 'here' as const, bot: null, taken: true, yours: true, online: true };
const BOB = { ...ADA, seat: 1, name: 'Bob', colour: 1, kind: 'open' as const, yours: false };
const STATE = { asked: [], choices: {}, outcome: null, rematch: { agreed: [], table: null } };

/** A table as it is shown to a browser that prefers a pace of 350. */
function enter(seats: object[], wishes: PaceWish[] = []): { table: PlainTable; sent: unknown[]; say: (message: object) => void } {
  const sent: unknown[] = [];
  const socket: Socket = { onopen: null, onmessage: null, onclose: null, send: (text) => void sent.push(JSON.parse(text)), close: () => undefined };
  const table = new PlainTable({ open: () => socket, later: () => () => undefined, key: () => 'key' }, { pace: () => 350 });
  table.open();
  socket.onopen?.();
  const say = (message: object): void => socket.onmessage?.({ data: JSON.stringify(message) });
  say({ type: 'table', id: 'abc', game: 'nim', version: 4, pace: 700, wishes, seats, options: {}, state: STATE, log: [] });
  return { table, sent, say };
}

it('is what the browser prefers where nobody else plays', () => {
  expect(enter([ADA, BOT]).sent).toEqual([{ type: 'pace', milliseconds: 350, key: 'key' }]);
});

it('is nobody else’s by what a browser prefers', () => {
  expect(enter([ADA, BOB, BOT]).sent).toEqual([]);
  expect(enter([ADA, { ...BOB, taken: false }, BOT]).sent).toEqual([]);
  expect(enter([{ ...ADA, yours: false }, BOT]).sent).toEqual([]);
});

it('is a wish among people, which changes what the browser prefers no more', () => {
  const { table, sent, say } = enter([ADA, BOB, BOT]);
  const prefer = vi.fn();
  choosePace(1400, table, prefer);
  expect(sent).toEqual([{ type: 'pace', milliseconds: 1400, key: 'key' }]);
  expect(prefer).not.toHaveBeenCalled();
  expect(chosenPace(table, 350)).toBe(700);
  say({ type: 'pace', milliseconds: 700, wishes: [{ seat: 0, milliseconds: 1400 }] });
  expect([chosenPace(table, 350), table.bots]).toEqual([1400, 700]);
  say({ type: 'pace', milliseconds: 1400, wishes: [] });
  expect([chosenPace(table, 350), table.bots, table.wishes]).toEqual([1400, 1400, []]);
});

it('is preferred without a table, and where nobody else plays', () => {
  const prefer = vi.fn();
  choosePace(0, undefined, prefer);
  choosePace(1400, enter([ADA, BOT]).table, prefer);
  expect(prefer.mock.calls).toEqual([[0], [1400]]);
});
