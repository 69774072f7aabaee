import { describe, expect, it } from 'vitest';
import { FakeServer, opened } from '../../table/testing';
import { Inbox } from './inbox.svelte';

const challenge = (id: string, more: { yours?: boolean; rated?: boolean; accepted?: boolean } = {}) => {
  const { yours = false, rated = false, accepted = false } = more;
  const seats = [
    { name: 'Ada', bot: null, yours, accepted: true },
    { name: 'Bo', bot: null, yours: !yours, accepted },
  ];
  return {
    type: 'challenge' as const,
    challenge: {
      id,
      by: 'Ada',
      yours,
      game: 'eko',
      options: {},
      clock: null,
      rated,
      seats,
      ends: '2026-11-26T12:00:00+00:00',
    },
  };
};
const gone = (id: string, table: string | null) => ({
  type: 'challenge-gone' as const,
  id,
  reason: table ? 'accepted' : 'declined',
  table,
});

function come(): { inbox: Inbox; server: FakeServer; arrived: string[]; begun: string[]; called: string[] } {
  const server = new FakeServer();
  const [arrived, begun, called]: [string[], string[], string[]] = [[], [], []];
  const inbox = opened(
    new Inbox(
      server,
      ({ id }) => arrived.push(id),
      (table) => begun.push(table),
      (_, table) => called.push(table),
    ),
    server,
  );
  return { inbox, server, arrived, begun, called };
}

describe('the invitations of an account', () => {
  it('are listed until they are answered, and the table of an accepted one begins', () => {
    const { inbox, server, begun } = come();
    server.say(challenge('a'));
    server.say(challenge('b'));
    server.say(challenge('a', { rated: true }));
    expect(inbox.invitations.map(({ id, rated }) => [id, rated])).toEqual([
      ['a', true],
      ['b', false],
    ]);
    server.say(gone('a', null));
    expect([inbox.invitations.map(({ id }) => id), begun]).toEqual([['b'], []]);
    server.lose();
    server.comeBack();
    expect(inbox.invitations).toEqual([]);
    server.say(challenge('b'));
    server.say(gone('b', 't'));
    expect([inbox.invitations, begun]).toEqual([[], ['t']]);
  });
  it('ask only those who have not accepted, and are announced once', () => {
    const { inbox, server, arrived } = come();
    server.say(challenge('own', { yours: true }));
    server.say(challenge('a'));
    server.say(challenge('a', { rated: true }));
    expect([inbox.asking.map(({ id }) => id), arrived]).toEqual([['a'], ['a']]);
    server.lose();
    server.comeBack();
    server.say(challenge('a'));
    server.say(challenge('b'));
    expect([inbox.asking.map(({ id }) => id), arrived]).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
    server.say(challenge('a', { accepted: true }));
    expect([inbox.asking.map(({ id }) => id), inbox.invitations.length]).toEqual([['b'], 2]);
  });
});

describe('the rounds of tournaments', () => {
  it('are announced once each, with the time that is left', () => {
    const { inbox, server, called } = come();
    const call = { tournament: 'a', name: 'Cup', round: 2, game: 'eko', table: null, left: 30_000 };
    server.say({ type: 'tournaments', calls: [call] });
    expect([inbox.calls.length, called]).toEqual([1, []]);
    const before = Date.now();
    server.say({ type: 'tournaments', calls: [{ ...call, table: 't', left: 600_000 }] });
    expect(inbox.calls[0]?.ends).toBeGreaterThanOrEqual(before + 600_000);
    server.lose();
    server.comeBack();
    expect(inbox.calls).toEqual([]);
    server.say({ type: 'tournaments', calls: [{ ...call, table: 't', left: 590_000 }] });
    expect(called).toEqual(['t']);
    server.say({ type: 'tournaments', calls: [] });
    expect([inbox.calls, called]).toEqual([[], ['t']]);
  });
});
