import { describe, expect, it } from 'vitest';
import { loadTexts } from '../shell/i18n.svelte';
import type { Action, BoardSpace, Effect, Entry, SeatInfo } from './protocol';
import { longLine, marked, shortLine, sinceMyTurn, type Scene } from './story';

const space = (name: string, q: number): BoardSpace => ({ space: `${q},0`, name, q, r: 0, terrain: 'sand', tile: 0 });
const seat = (number: number, name: string): SeatInfo => ({ seat: number, name, colour: number, kind: 'here', bot: null, taken: true, yours: true, online: true });
const SCENE: Scene = {
  seats: [seat(0, 'Ada'), seat(1, 'Bo')],
  board: { spaces: [space('b4', 0), space('c5', 1)], tiles: [], portals: [], pyramids: [], beacons: [] },
};
const entry = (action: Action, effect: Effect, more: Partial<Entry> = {}): Entry => ({ n: 1, turn: 3, seat: 0, action, effect, notation: '', at: '', ...more });
const MOVE: Action = { type: 'move', from: '0,0', to: '1,0' };

await loadTexts('eko');

describe('a decision in words', () => {
  it('names spaces, and tells who stood over whom', () => {
    const attack = entry(MOVE, 'attack', { height: 3, met: { owner: 1, height: 2, emperor: false } });
    expect(shortLine(attack, SCENE)).toBe('attacks c5, 3 over 2');
    expect(longLine(attack, SCENE)).toBe('Ada attacks c5 from b4, 3 over 2');
  });

  it('tells what it brought', () => {
    expect(shortLine(entry({ type: 'build', from: '0,0', site: '1,0', kind: 'camp' }, 'build', { points: [1, 0] }), SCENE)).toBe('Encampment on c5 · +1');
  });

  it('does not pass over an exchange of Emperors that takes points from somebody', () => {
    const capture = entry(MOVE, 'attack', { height: 3, met: { owner: 1, height: 1, emperor: true }, freed: [0, 1], points: [0, -3] });
    expect(shortLine(capture, SCENE)).toBe('attacks c5, 3 over 1 · captures the Emperor of Bo · exchange of Emperors: Ada and Bo · Bo −3');
  });

  it('says less of what an earlier release kept', () => {
    expect(longLine(entry(MOVE, 'attack'), SCENE)).toBe('Ada attacks c5 from b4');
  });
});

describe('what stays marked', () => {
  const log = (seats: number[]): Entry[] => seats.map((seat, i) => ({ ...entry({ type: 'end' }, 'end'), n: i + 1, turn: i + 1, seat }));
  it('are the whole last turns of the others, and one’s own latest decision', () => {
    expect(marked(log([0, 1, 1, 2]), 0).map(({ n }) => n)).toEqual([2, 3, 4]);
    expect(marked(log([0, 1, 1, 0, 0]), 0).map(({ n }) => n)).toEqual([2, 3, 5]);
  });
  it('is the latest turn for who watches', () => {
    const turn = log([0, 1, 1]).map((one, i) => ({ ...one, turn: i === 0 ? 1 : 2 }));
    expect(marked(turn, null).map(({ n }) => n)).toEqual([2, 3]);
    expect(sinceMyTurn(turn, null)).toBe(1);
  });
  it('begins after one’s last turn', () => {
    expect(sinceMyTurn(log([0, 0, 1, 1, 2]), 0)).toBe(2);
    expect(sinceMyTurn(log([0, 1, 2, 0]), 0)).toBe(1);
  });
});
