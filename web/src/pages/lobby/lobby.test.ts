import { describe, expect, it } from 'vitest';
import { sitOnArrival, sitsOnArrival } from '../../table/begin.svelte';
import { FakeServer, opened } from '../../table/testing';
import { Lobby, type LobbyTable, type OwnTable } from './lobby.svelte';

const SEAT = { name: 'Ada', colour: 0, taken: true };
const table = (since: number, open = true): LobbyTable => ({ game: 'eko', open, options: {}, seats: [SEAT], since });
const own = (since: number, standing: OwnTable['standing']): OwnTable => ({ ...table(since), standing, public: true });
const MESSAGE = {
  type: 'lobby' as const,
  tables: { b: table(2), a: table(1), c: table(3, false) },
  own: {},
  people: {},
  counts: {},
  seeking: {},
  tournaments: {},
};
const SEEK = { game: 'eko', options: { players: 2 } };

function come(): { lobby: Lobby; server: FakeServer; found: string[] } {
  const server = new FakeServer();
  const found: string[] = [];
  const lobby = opened(new Lobby(server, 'Ada', (where) => found.push(where)), server);
  return { lobby, server, found };
}

describe('the lobby', () => {
  it('lists tables oldest first, and own ones by their status', () => {
    const { lobby, server } = come();
    server.say({ ...MESSAGE, own: { b: own(2, 'others'), z: own(9, 'yours'), y: own(5, 'waiting') } });
    expect(lobby.own.map(({ id }) => id)).toEqual(['z', 'y', 'b']);
    expect([lobby.free, lobby.running].map((some) => some.map(({ id }) => id))).toEqual([['a'], ['c']]);
  });
  it('sorts awaiting tables by their deadline, and counts them', () => {
    const { lobby, server } = come();
    const due = (since: number, standing: OwnTable['standing'], at: number): OwnTable => ({
      ...own(since, standing),
      due: at,
    });
    server.say({
      ...MESSAGE,
      own: { a: own(1, 'yours'), b: due(2, 'yours', 90), c: due(3, 'yours', 40), d: due(4, 'others', 10) },
    });
    expect(lobby.own.map(({ id }) => id)).toEqual(['c', 'b', 'a', 'd']);
    expect(lobby.awaiting).toBe(3);
  });
  it('applies changes', () => {
    const { lobby, server } = come();
    server.say(MESSAGE);
    server.say({ type: 'news', change: { tables: { a: null, b: { open: [false] }, d: [table(4)] } } });
    expect([lobby.free, lobby.running].map((some) => some.map(({ id }) => id))).toEqual([['d'], ['b', 'c']]);
  });
  it('sends its name and seek again after a reconnect', () => {
    const { lobby, server } = come();
    lobby.seek(SEEK);
    for (const { key } of server.sent.splice(0)) server.say({ type: 'ack', key } as { type: string });
    server.lose();
    server.comeBack();
    server.say(MESSAGE);
    expect(server.sent).toMatchObject([
      { type: 'hello', name: 'Ada' },
      { type: 'seek', ...SEEK, name: 'Ada' },
    ]);
  });
  it('counts players who seek a game with default options', () => {
    const { lobby, server } = come();
    const sought = (waiting: number, options: object) => ({ game: 'eko', players: 2, options, waiting });
    const rated = { ...sought(5, {}), rated: true as const };
    server.say({ ...MESSAGE, seeking: { x: sought(3, { setup: 'draft' }), y: sought(1, {}), z: rated } });
    expect(
      [{ players: 2 }, { players: 3 }, { players: 2, rated: true as const }].map((options) =>
        lobby.waiting('eko', options),
      ),
    ).toEqual([1, 0, 5]);
  });
  it('opens a table that was found, and stops seeking after a refusal', () => {
    const { lobby, server, found } = come();
    lobby.seek(SEEK);
    server.say({ type: 'paired', table: 't', game: 'eko' });
    expect([lobby.sought, found]).toEqual([null, ['t']]);
    lobby.seek(SEEK);
    server.say({ type: 'error', code: 'table/bad-seats', message: 'no' });
    expect([lobby.sought, lobby.problem?.code]).toEqual([null, 'table/bad-seats']);
  });
});

it('sits down once at the intended table', () => {
  sitOnArrival('t');
  expect([sitsOnArrival('s'), sitsOnArrival('t'), sitsOnArrival('t')]).toEqual([false, true, false]);
});
