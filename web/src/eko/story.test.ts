import { describe, expect, it } from 'vitest';
import type { Json } from '../protocol/messages';
import { seat } from '../table/testing';
import { loadTexts } from '../ui/i18n.svelte';
import { outcomeLine, sourceLines } from './describe';
import type { Action, BoardSpace, Effect, Entry, Player } from './protocol';
import {
  longLine,
  marked,
  plannedLine,
  pointsOverTime,
  type Scene,
  shortLine,
  sinceMyTurn,
  turningPoint,
} from './story';

const space = (name: string, q: number): BoardSpace => ({ space: `${q},0`, name, q, r: 0, terrain: 'sand', tile: 0 });
const SCENE: Scene = {
  seats: [seat(0, 'Ada'), seat(1, 'Bo')],
  board: { spaces: [space('b4', 0), space('c5', 1)], tiles: [], portals: [], pyramids: [], beacons: [] },
};
const entry = (action: Action, effect: Effect, more: Partial<Entry> = {}): Entry => ({
  n: 1,
  turn: 3,
  seat: 0,
  action,
  effect,
  notation: '',
  at: 0,
  ...more,
});
const MOVE: Action = { type: 'move', from: '0,0', to: '1,0' };

await loadTexts('eko');
await loadTexts('table');

describe('points in words', () => {
  it('say how many of each count, and what they give', () => {
    expect(sourceLines({ camps: 1, towers: 4, castles: 0, captives: 3, pyramids: 0, total: 8 })).toEqual([
      '1 encampment = 1',
      '2 towers = 4',
      '1 captive Emperor = 3',
    ]);
  });
});

describe('a decision in words', () => {
  it.each<[Action, string]>([
    [MOVE, 'b4 → c5'],
    [{ type: 'build', site: '1,0', from: '0,0', kind: 'camp' }, 'Encampment on c5'],
    [{ type: 'swap' }, 'the Emperor stays'],
    [{ type: 'swap', space: '1,0' }, 'Emperor to c5'],
    [{ type: 'reinforce', space: '1,0', count: 2 }, '2 discs back on c5'],
    [{ type: 'end' }, 'ends the turn'],
  ])('says what %j does before it is made', (action, line) => {
    expect(plannedLine({ seat: 0, action: action as object as Json }, SCENE)).toBe(line);
  });
  it('names spaces and the heights of stacks', () => {
    const attack = entry(MOVE, 'attack', { height: 3, met: { owner: 1, height: 2, emperor: false } });
    expect(shortLine(attack, SCENE)).toBe('attacks c5, 3 over 2');
    expect(longLine(attack, SCENE)).toBe('Ada attacks c5 from b4, 3 over 2');
  });

  it('names the points it brought', () => {
    expect(
      shortLine(entry({ type: 'build', from: '0,0', site: '1,0', kind: 'camp' }, 'build', { points: [1, 0] }), SCENE),
    ).toBe('Encampment on c5 · +1');
  });

  it('names an exchange of Emperors that costs a player points', () => {
    const capture = entry(MOVE, 'attack', {
      height: 3,
      met: { owner: 1, height: 1, emperor: true },
      freed: [0, 1],
      points: [0, -3],
    });
    expect(shortLine(capture, SCENE)).toBe(
      'attacks c5, 3 over 1 · captures the Emperor of Bo · exchange of Emperors: Ada and Bo · Bo −3',
    );
  });
});

describe('what stays marked', () => {
  const log = (seats: number[]): Entry[] =>
    seats.map((seat, i) => ({ ...entry({ type: 'end' }, 'end'), n: i + 1, turn: i + 1, seat }));
  it('are the whole last turns of the others, and one’s own latest decision', () => {
    expect(marked(log([0, 1, 1, 2]), 0).map(({ n }) => n)).toEqual([2, 3, 4]);
    expect(marked(log([0, 1, 1, 0, 0]), 0).map(({ n }) => n)).toEqual([2, 3, 5]);
  });
  it('is the latest turn for spectators', () => {
    const turn = log([0, 1, 1]).map((one, i) => ({ ...one, turn: i === 0 ? 1 : 2 }));
    expect(marked(turn, null).map(({ n }) => n)).toEqual([2, 3]);
    expect(sinceMyTurn(turn, null)).toBe(1);
  });
  it('begins after one’s last turn', () => {
    expect(sinceMyTurn(log([0, 0, 1, 1, 2]), 0)).toBe(2);
    expect(sinceMyTurn(log([0, 1, 2, 0]), 0)).toBe(1);
  });
});

const player = (total: number): Player => ({ points: { total } }) as Player;
const changed = (n: number, points?: number[]): Entry => ({
  ...entry({ type: 'end' }, 'end'),
  n,
  ...(points && { points }),
});
const LOG = [changed(1), changed(2, [1, 0]), changed(3, [3, -3]), changed(4, [1, 0])];

describe('how a game went', () => {
  it.each([
    ['points', [0], 'Ada wins with 15 points and a building on a capital.'],
    ['points', [0, 1], 'Ada and Bo win together with 15 and 12 points, each with a building on a capital.'],
    ['last-on-board', [1], 'Bo wins: nobody else has discs on the board.'],
    ['resignation', [1], 'Bo wins by resignation.'],
    ['agreement', [], 'Draw by agreement.'],
    ['aborted', [], 'The game was aborted. It has no result.'],
    ['no-show', [1], 'Bo wins by forfeit: the opponent did not come, or did not begin, in time.'],
  ])('ends by %s of %j', (reason, winners, sentence) => {
    expect(outcomeLine({ reason, winners, rule: null }, [player(15), player(12)], SCENE.seats)).toBe(sentence);
  });
  it.each([
    ['points', [1], 'You win with 12 points and a building on a capital.'],
    ['resignation', [1], 'You win by resignation.'],
    ['no-show', [1], 'You win by forfeit: the opponent did not come, or did not begin, in time.'],
    ['time', [0], 'Ada wins on time.'],
    ['points', [0, 1], 'Ada and Bo win together with 15 and 12 points, each with a building on a capital.'],
  ])('ends by %s of %j for the second player', (reason, winners, sentence) => {
    const seats = [seat(0, 'Ada'), seat(1, 'Bo', { yours: true })];
    expect(outcomeLine({ reason, winners, rule: null }, [player(15), player(12)], seats)).toBe(sentence);
  });
  it('turned where the review says', () => {
    const facts = [
      { code: 'review/lead-changed', n: 2, turn: 1, seat: 0 },
      { code: 'review/turning-point', n: 7, turn: 4, seat: 1, winner: 0, loss: 0.26, chance: 0.75 },
    ] as const;
    expect([turningPoint({ facts: [...facts] }), turningPoint({ facts: [] }), turningPoint(null)]).toEqual([
      7,
      undefined,
      undefined,
    ]);
  });
  it('is computed backwards from the present points', () => {
    expect(pointsOverTime(LOG, [player(7), player(1)])).toEqual([
      [2, 2, 3, 6, 7],
      [4, 4, 4, 1, 1],
    ]);
  });
});
