import { describe, expect, it, vi } from 'vitest';
import { FakeServer } from '../../table/testing';
import { LiveTournament, statusOf, type TournamentSnapshot } from './tournament.svelte';

const MESSAGE: TournamentSnapshot = {
  about: {
    name: 'Spring',
    game: 'eko',
    form: 'swiss',
    players: 2,
    options: {},
    status: 'running',
    late: true,
    grace: 10,
    rounds: 2,
    drawn: 1,
    host: 'Ada',
    breaks: ['buchholz'],
  },
  entrants: { 1: { name: 'Ada' }, 2: { name: 'Bo', left: true }, 3: { name: 'Cleo' } },
  rounds: {
    1: [
      { seats: [2, 1], table: 't1', points: [0.5, 0.5] },
      { seats: [3], points: [1] },
    ],
  },
  standings: {
    1: { rank: 2, points: 0.5, breaks: [1] },
    2: { rank: 2, points: 0.5, breaks: [1] },
    3: { rank: 1, points: 1, breaks: [1] },
  },
  own: { entrant: 1 },
};

function entered(called = vi.fn()): LiveTournament {
  const room = new LiveTournament(new FakeServer(), called);
  room.receive({ type: 'tournament', ...MESSAGE });
  return room;
}

describe('a tournament', () => {
  it('lists entrants by rank, with points and opponents of each round', () => {
    const room = entered();
    expect(room.rows.map(({ name }) => name)).toEqual(['Cleo', 'Ada', 'Bo']);
    expect(room.rows[1]).toMatchObject({ mine: true, left: false, cells: [{ points: 0.5, others: [2] }] });
    expect(room.rows[0]?.cells).toEqual([{ points: 1, others: [] }]);
    expect(room.mine?.table).toBe('t1');
  });

  it('announces a game that begins, not one that was already waiting', () => {
    const called = vi.fn();
    const room = entered(called);
    room.receive({ type: 'tournament', ...MESSAGE, own: { entrant: 1, table: 't1' } });
    expect(called).toHaveBeenCalledWith('t1');
    room.receive({
      type: 'news',
      change: { about: { drawn: [2] }, rounds: { 2: [[{ seats: [1, 3], table: 't2' }]] }, own: { table: ['t2'] } },
    });
    expect(called).toHaveBeenLastCalledWith('t2');
    expect(room.rounds.map(({ number }) => number)).toEqual([2, 1]);
    expect(room.ended).toBe(1);
    expect(room.rows.at(-1)?.cells).toEqual([{ points: 0.5, others: [1] }, null]);
    const late = vi.fn();
    new LiveTournament(new FakeServer(), late).receive({
      type: 'tournament',
      ...MESSAGE,
      own: { entrant: 1, table: 't1' },
    });
    expect(late).not.toHaveBeenCalled();
  });

  it('can be joined until its last round is drawn', () => {
    const room = entered();
    expect(room.canJoin).toBe(false);
    room.receive({ type: 'tournament', ...MESSAGE, own: {} });
    expect(room.canJoin).toBe(true);
    room.receive({ type: 'news', change: { about: { drawn: [2] } } });
    expect(room.canJoin).toBe(false);
  });

  it('shows an arena by scores instead of rounds, and takes late comers all the time', () => {
    const room = entered();
    const standing = { rank: 1, points: 6, breaks: [2, 2], scores: [2, 4], fire: true as const };
    const about = { ...MESSAGE.about, form: 'arena' as const, minutes: 60, drawn: 300, rounds: 300 };
    room.receive({ type: 'tournament', ...MESSAGE, about, own: {}, standings: { 1: standing } });
    expect(room.rows[0]).toMatchObject({ name: 'Ada', scores: [2, 4], fire: true, cells: [] });
    expect(room.canJoin).toBe(true);
    expect(statusOf(about)).toBe('tournament.status.running');
    expect(statusOf({ ...about, status: 'over' })).toBe('tournament.status.over');
    expect(statusOf({ ...about, status: 'over', drawn: 0 })).toBe('tournament.status.cancelled');
  });
});
