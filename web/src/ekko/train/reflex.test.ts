import { expect, it } from 'vitest';
import { Ekko } from '../../engine/ekko/position';
import { moduleOf } from '../../engine/testing';
import { FakeServer } from '../../table/testing';
import { median } from '../median';
import { better, deal, GAP, PACES, Reflex, rushPace } from './reflex.svelte';

/** What is shown is painted 10 ms later. */
function opened() {
  const server = new FakeServer();
  const rounds = [
    { hand: [12, 34, 49], shown: [37, 58, 21], answer: 12 },
    { hand: [1, 14, 67], shown: [86, 10], answer: 1 },
  ];
  const reflex = new Reflex(
    rounds,
    () => PACES.fast,
    server,
    (then) => void server.later(() => then(server.clock), 10),
  );
  reflex.begin();
  return {
    reflex,
    wait: (milliseconds: number) => server.pass(milliseconds),
    press: (card: number) => reflex.press(card, server.clock),
  };
}

it('takes the time from when the card is painted until its mirror is pressed', () => {
  const { reflex, wait, press } = opened();
  expect(reflex.state?.position.zone).toEqual([37]);
  wait(2 * PACES.fast);
  expect(reflex.state?.position.zone).toEqual([37, 58, 21]);
  wait(410);
  press(12);
  expect([reflex.hits, reflex.latest, reflex.state?.position.zone.at(-1)]).toEqual([[400], 400, 12]);
  press(34);
  expect(reflex.alarms).toBe(0);
  wait(GAP);
  expect([reflex.n, reflex.state?.hands['0']?.hand]).toEqual([2, [1, 14, 67]]);
});

it('counts cards that are no mirror, too early or wrong, and mirrors that came too late', () => {
  const { reflex, wait, press } = opened();
  wait(100);
  press(12);
  expect([reflex.alarms, reflex.latest]).toEqual([1, 'alarm']);
  wait(3 * PACES.fast);
  expect([reflex.missed, reflex.hits]).toEqual([1, []]);
  press(12);
  wait(GAP + PACES.fast - 100); // it has just been put, and is not painted
  press(1);
  expect(reflex.alarms).toBe(2);
  wait(20);
  reflex.input = 1e9;
  reflex.type('0');
  reflex.type('1');
  expect(reflex.hits.length).toBe(1);
  wait(GAP);
  expect(reflex.phase).toBe('done');
});

it('is faster in each round of a rush, to a limit, and tells what was right and what was not', () => {
  expect([rushPace(1), rushPace(2) < rushPace(1), rushPace(40), rushPace(120)]).toEqual([2000, true, 700, 700]);
  const { reflex, wait, press } = opened();
  const told: boolean[] = [];
  reflex.onanswer = (isRight) => void told.push(isRight);
  press(34);
  wait(2 * PACES.fast + 100);
  press(12);
  wait(GAP + 3 * PACES.fast);
  expect(told).toEqual([false, true, false]);
});

it('keeps the best of a speed; a median counts only where none was missed', () => {
  expect([median([]), median([3]), median([1, 9, 4]), median([1, 2, 5, 9])]).toEqual([null, 3, 4, 4]);
  expect(better(undefined, { hits: [500, 700], missed: 1 })).toEqual({ time: 500, median: null });
  expect(better({ time: 400, median: 600 }, { hits: [450, 550], missed: 0 })).toEqual({ time: 400, median: 500 });
});

it('deals streams of cards that the rules allow, of which the hand mirrors the last alone', () => {
  const ekko = new Ekko(moduleOf('ekko'));
  const rounds = [...deal(), ...deal(() => 0), ...deal(() => 0.999)];
  expect(rounds.length).toBe(60);
  for (const { hand, shown, answer } of rounds) {
    const mirrors = (top: number, cards: readonly number[]): number[] => {
      const turn = { round: 1, dealer: 0, player: 1, last: 1, phase: 'mirror' as const, asked: 0 };
      const rest = { aside: [[], []], scores: [0, 0], pile: [] };
      const position = ekko.position({
        game: 'ekko',
        version: 1,
        players: 2,
        target: 25,
        zone: [top],
        hands: [[...cards], [98]],
        turn,
        ...rest,
      });
      return position
        .legal()
        .flatMap((action) => (action.type === 'mirror' && cards.includes(action.card) ? [action.card] : []));
    };
    const follows = (card: number, next: number): boolean => {
      const turn = { round: 1, dealer: 0, player: 0, last: 1, phase: 'play' as const };
      const rest = { aside: [[], []], scores: [0, 0], pile: [] };
      const position = ekko.position({
        game: 'ekko',
        version: 1,
        players: 2,
        target: 25,
        zone: [card],
        hands: [[next], [98]],
        turn,
        ...rest,
      });
      return position.legal().every((action) => action.type === 'play' || action.type === 'mirror');
    };
    expect(new Set([...hand, ...shown]).size).toBe(hand.length + shown.length);
    expect(shown.flatMap((top) => mirrors(top, hand))).toEqual(expect.arrayContaining([answer]));
    expect(shown.slice(0, -1).flatMap((top) => mirrors(top, hand))).toEqual([]);
    shown.slice(1).forEach((next, place) => expect(follows(shown[place]!, next)).toBe(true));
  }
});
