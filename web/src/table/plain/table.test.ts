import { expect, it } from 'vitest';
import { FakeServer, opened, seat } from '../testing';
import { type PlainState, PlainTable } from './table.svelte';

const STATE: PlainState = {
  asked: [0],
  choices: { '0': [{ action: { type: 'take', count: 2 }, notation: 'x2' }] },
  outcome: null,
  rematch: { agreed: [], table: null },
};

function sit(): { table: PlainTable; server: FakeServer } {
  const server = new FakeServer();
  const table = opened(new PlainTable(server), server);
  server.table({ version: 4, seats: [seat(0, 'Ada', { yours: true })], state: STATE });
  return { table, server };
}

it("offers the server's choices, and sends the chosen one", () => {
  const { table, server } = sit();
  expect(table.game).toBe('nim');
  table.act(table.asked!.choices[0]!);
  expect(server.sent).toEqual([{ type: 'act', version: 4, seat: 0, action: { type: 'take', count: 2 }, key: 'key-0' }]);
});

it('follows the log, and offers nothing where a game lists no choices', () => {
  const { table, server } = sit();
  const { rematch, outcome } = STATE;
  server.say({ type: 'error', key: 'key-0', code: 'table/stale', message: 'late' });
  expect(table.notice?.code).toBe('table/stale');
  server.update({ rematch, outcome }, { keep: 0, entries: [{ n: 1, seat: 0, notation: 'x2' }] }, ['asked', 'choices']);
  expect(table.log.map(({ notation }) => notation)).toEqual(['x2']);
  expect([table.asked, table.notice]).toEqual([null, null]);
});
