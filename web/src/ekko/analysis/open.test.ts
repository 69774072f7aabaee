import { beforeAll, expect, it } from 'vitest';
import { seatsOf } from '../../table/line';
import { FakeServer } from '../../table/testing';
import { loadTexts } from '../../ui/i18n.svelte';
import { streamState } from '../train/reflex.svelte';
import { type Choice, type OpenState, OpenTable, openSentence, pointsText, shortChoice, valuesOf } from './open.svelte';

beforeAll(async () => {
  await loadTexts('pages');
  await loadTexts('ekko');
  await loadTexts('ekko/study');
});

const choice = (notation: string, action: Choice['action'], seat = 1): Choice => ({
  seat,
  round: 1,
  verdict: 'play',
  notation,
  action,
});
const PASS = choice('pass', { type: 'pass' });

function table(choices: Choice[]): OpenTable {
  const open = new OpenTable(new FakeServer());
  open.seats = seatsOf(2, [], 0);
  open.state = { ...streamState(1, [37], [73], 5), choices } as OpenState;
  return open;
}

it('says who is asked what; at a deal no player is', () => {
  expect(openSentence(table([choice('73/+', { type: 'mirror', card: 73, effect: 'draw' }), PASS]))).toContain(
    '73, the mirror of 37',
  );
  expect(openSentence(table([choice('draw', { type: 'draw' })]))).toContain('draws');
  expect(openSentence(table([choice('40', { type: 'play', card: 40 }, 0)]))).toContain('above 37');
  expect(table([choice('deal', { type: 'deal' }, -1)]).asked).toBeNull();
});

it('writes decisions in a few letters', () => {
  const all = [
    choice('', { type: 'mirror', card: 73, effect: 'discard', aside: 5 }),
    choice('', { type: 'mirror', card: 73, effect: 'draw' }),
    choice('', { type: 'play', card: 4 }),
    PASS,
  ];
  expect(all.map(shortChoice)).toEqual(['73⇄−05', '73⇄+', '04', 'pass']);
});

it('marks as best what no other is clearly better than', () => {
  const line = (notation: string, points: number) => ({
    value: [],
    points,
    error: 0.1,
    iterations: 9,
    entries: [{ turn: 1, seat: 0, action: {}, notation }],
  });
  const values = valuesOf({ lines: [line('38', 1.2), line('40', 1.15), line('9', -0.34)] });
  expect([...values].map(([notation, { isBest }]) => [notation, isBest])).toEqual([
    ['38', true],
    ['40', true],
    ['9', false],
  ]);
  expect([...values.values()].map(pointsText)).toEqual(['+1.2', '+1.2', '−0.3']);
  expect(valuesOf({ lines: [line('draw', 1)] }).get('draw')?.isBest).toBe(false);
});
