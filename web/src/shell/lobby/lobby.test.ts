import { describe, expect, it } from 'vitest';
import type { Socket } from '../connection.svelte';
import { sitsOnArrival, sitOnArrival } from './invitations';
import { Lobby } from './lobby.svelte';
import type { LobbyMessage, LobbyTable, OwnTable } from './protocol';

const SEAT = { name: 'Ada', colour: 0, taken: true };
const table = (since: number, open = true): LobbyTable => ({ game: 'eko', open, options: {}, seats: [SEAT], since });
const own = (since: number, standing: OwnTable['standing']): OwnTable => ({ ...table(since), standing, public: true });
const TOLD = { type: 'lobby' as const, tables: { b: table(2), a: table(1), c: table(3, false) }, own: {}, people: {}, counts: {}, seeking: {}, tournaments: {} };
const SEEK = { game: 'eko', options: { players: 2 } };

function come(): { lobby: Lobby; sent: { type: string }[]; say: (message: LobbyMessage) => void; lose: () => void; found: string[] } {
  const sent: { type: string }[] = [];
  const found: string[] = [];
  const tasks: (() => void)[] = [];
  const sockets: Socket[] = [];
  const around = {
    open: (): Socket => {
      const socket: Socket = { onopen: null, onmessage: null, onclose: null, send: (text) => void sent.push(JSON.parse(text) as { type: string }), close: () => undefined };
      sockets.push(socket);
      return socket;
    },
    later: (task: () => void) => {
      tasks.push(task);
      return () => undefined;
    },
    key: () => String(sent.length),
  };
  const lobby = new Lobby(around, (where) => found.push(where));
  lobby.enter('Ada');
  const last = (): Socket => sockets.at(-1)!;
  last().onopen?.();
  return {
    lobby,
    sent,
    found,
    say: (message) => last().onmessage?.({ data: JSON.stringify(message) }),
    lose: () => {
      last().onclose?.({ code: 1006 });
      tasks.splice(0).forEach((task) => task());
      last().onopen?.();
    },
  };
}

describe('the lobby', () => {
  it('lists tables the oldest first, own ones apart by what waits for me', () => {
    const { lobby, say } = come();
    say({ ...TOLD, own: { b: own(2, 'others'), z: own(9, 'yours'), y: own(5, 'waiting') } });
    expect(lobby.own.map(({ id }) => id)).toEqual(['z', 'y', 'b']);
    expect([lobby.free, lobby.running].map((some) => some.map(({ id }) => id))).toEqual([['a'], ['c']]);
  });
  it('puts what is due first among those that wait for me, and counts them', () => {
    const { lobby, say } = come();
    const due = (since: number, standing: OwnTable['standing'], at: number): OwnTable => ({ ...own(since, standing), due: at });
    say({ ...TOLD, own: { a: own(1, 'yours'), b: due(2, 'yours', 90), c: due(3, 'yours', 40), d: due(4, 'others', 10) } });
    expect(lobby.own.map(({ id }) => id)).toEqual(['c', 'b', 'a', 'd']);
    expect(lobby.awaiting).toBe(3);
  });
  it('follows what changes', () => {
    const { lobby, say } = come();
    say(TOLD);
    say({ type: 'news', change: { tables: { a: null, b: { open: [false] }, d: [table(4)] } } });
    expect([lobby.free, lobby.running].map((some) => some.map(({ id }) => id))).toEqual([['d'], ['b', 'c']]);
  });
  it('says its name and looks again when the line is back', () => {
    const { lobby, sent, lose, say } = come();
    lobby.seek(SEEK);
    sent.forEach((_, key) => say({ type: 'ack', key: String(key) }));
    sent.length = 0;
    lose();
    say(TOLD);
    expect(sent).toMatchObject([{ type: 'hello', name: 'Ada' }, { type: 'seek', ...SEEK, name: 'Ada' }]);
  });
  it('counts who waits for a game as it usually is', () => {
    const { lobby, say } = come();
    const sought = (waiting: number, options: object) => ({ game: 'eko', players: 2, options, waiting });
    const rated = { ...sought(5, {}), rated: true as const };
    say({ ...TOLD, seeking: { x: sought(3, { setup: 'draft' }), y: sought(1, {}), z: rated } });
    expect([{ players: 2 }, { players: 3 }, { players: 2, rated: true as const }].map((options) => lobby.waiting('eko', options))).toEqual([1, 0, 5]);
  });
  it('keeps invitations until they are answered, and goes to the table of one that was accepted', () => {
    const { lobby, say, lose, found } = come();
    const challenge = (id: string) => ({ type: 'challenge' as const, challenge: { id, by: 'Ada', yours: false, game: 'eko', options: {}, clock: null, rated: false, seats: [] } });
    say(challenge('a'));
    say(challenge('b'));
    say({ type: 'challenge', challenge: { ...challenge('a').challenge, rated: true } });
    expect(lobby.invitations.map(({ id, rated }) => [id, rated])).toEqual([['a', true], ['b', false]]);
    say({ type: 'challenge-gone', id: 'a', reason: 'declined', table: null });
    expect([lobby.invitations.map(({ id }) => id), found]).toEqual([['b'], []]);
    lose();
    expect(lobby.invitations).toEqual([]);
    say(challenge('b'));
    say({ type: 'challenge-gone', id: 'b', reason: 'accepted', table: 't' });
    expect([lobby.invitations, found]).toEqual([[], ['t']]);
  });
  it('goes where a game was found, and looks no more where that is refused', () => {
    const { lobby, say, found } = come();
    lobby.seek(SEEK);
    say({ type: 'paired', table: 't', game: 'eko' });
    expect([lobby.sought, found]).toEqual([null, ['t']]);
    lobby.seek(SEEK);
    say({ type: 'error', code: 'table/bad-seats', message: 'no' });
    expect([lobby.sought, lobby.problem?.code]).toEqual([null, 'table/bad-seats']);
  });
});

it('sits down once at the table it came for', () => {
  sitOnArrival('t');
  expect([sitsOnArrival('s'), sitsOnArrival('t'), sitsOnArrival('t')]).toEqual([false, true, false]);
});
