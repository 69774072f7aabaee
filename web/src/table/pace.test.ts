import { expect, it, vi } from 'vitest';
import { created } from '../net/known';
import type { PaceVote } from '../net/protocol';
import { choosePace, chosenPace } from './pace';
import { PlainTable } from './plain/table.svelte';
import { FakeServer, opened, seat } from './testing';

const BOT = seat(2, '', { kind: 'bot', bot: 'largest' });
const ADA = seat(0, 'Ada', { yours: true });
const BOB = seat(1, 'Bob', { kind: 'open' });
const STATE = { asked: [], choices: {}, outcome: null, rematch: { agreed: [], table: null } };

class Preferring extends PlainTable {
  protected override get preferredPace(): number {
    return 350;
  }
}

/** A table as it is shown to a browser that prefers a pace of 350. */
function enter(seats: object[], pace_votes: PaceVote[] = []): { table: PlainTable; server: FakeServer } {
  const server = new FakeServer();
  const table = opened(new Preferring(server), server);
  server.table({ version: 4, pace_votes, seats, state: STATE });
  return { table, server };
}

it("is the browser's preference in solo games", () => {
  expect(enter([ADA, BOT]).server.sent).toEqual([{ type: 'pace', milliseconds: 350, key: 'key-0' }]);
});

it("is the creator's preference in games of bots, and nobody else's", () => {
  expect(enter([BOT]).server.sent).toEqual([]);
  created.add('abc');
  expect(enter([BOT]).server.sent).toEqual([{ type: 'pace', milliseconds: 350, key: 'key-0' }]);
  created.clear();
});

it("does not follow one browser's preference in other games", () => {
  expect(enter([ADA, BOB, BOT]).server.sent).toEqual([]);
  expect(enter([ADA, { ...BOB, taken: false }, BOT]).server.sent).toEqual([]);
  expect(enter([{ ...ADA, yours: false }, BOT]).server.sent).toEqual([]);
});

it('is a proposal among people and leaves the preference alone', () => {
  const { table, server } = enter([ADA, BOB, BOT]);
  const prefer = vi.fn();
  choosePace(1400, table, prefer);
  expect(server.sent).toEqual([{ type: 'pace', milliseconds: 1400, key: 'key-0' }]);
  expect(prefer).not.toHaveBeenCalled();
  expect(chosenPace(table, 350)).toBe(700);
  server.say({ type: 'pace', milliseconds: 700, pace_votes: [{ seat: 0, milliseconds: 1400 }] });
  expect([chosenPace(table, 350), table.bots]).toEqual([1400, 700]);
  server.say({ type: 'pace', milliseconds: 1400, pace_votes: [] });
  expect([chosenPace(table, 350), table.bots, table.paceVotes]).toEqual([1400, 1400, []]);
});

it('changes the preference without a table and in solo games', () => {
  const prefer = vi.fn();
  choosePace(0, undefined, prefer);
  choosePace(1400, enter([ADA, BOT]).table, prefer);
  expect(prefer.mock.calls).toEqual([[0], [1400]]);
});
