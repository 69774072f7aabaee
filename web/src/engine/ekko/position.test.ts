import { describe, expect, it } from 'vitest';
import { golden, goldenNames, moduleOf } from '../testing';
import { type Action, formatAction, parseAction } from './action';
import { CHANCE, Ekko, type EkkoPosition, type PositionJson } from './position';

const ekko = new Ekko(moduleOf('ekko'));

describe('positions of EKKO', () => {
  it.each(goldenNames('ekko/puzzles').filter((name) => !name.startsWith('live-')))(
    '%s: each legal action and what follows',
    (name) => {
      const [, start = '', ...rows] = golden('ekko/puzzles', name).trimEnd().split('\n');
      const position = ekko.position(JSON.parse(start) as PositionJson);
      expect(JSON.stringify(position.toJson())).toBe(start);
      const actions = rows.filter((_, place) => place % 2 === 0);
      expect(
        position
          .legal()
          .map((action) => JSON.stringify(action))
          .sort(),
      ).toEqual(actions.toSorted());
      actions.forEach((action, place) => {
        expect(JSON.stringify(position.play(JSON.parse(action) as Action).toJson())).toBe(rows[2 * place + 1]);
      });
    },
  );

  it.each(goldenNames('ekko/puzzles').filter((name) => !name.startsWith('live-')))(
    '%s: a card is refused by a rule exactly if it is not legal',
    (name) => {
      const position = ekko.position(JSON.parse(golden('ekko/puzzles', name).split('\n')[1]!) as PositionJson);
      const legal = new Set(position.legal().map(formatAction));
      const cards = Array.from({ length: 98 }, (_, n) => [`${n + 1}`, `${n + 1}/+`, `${n + 1}/-1`]).flat();
      const wrong = [CHANCE, ...position.toJson().hands.keys()].flatMap((seat) =>
        [...cards, 'pass', 'draw', 'close'].filter((word) => {
          const refusal = position.whyNot(seat, parseAction(word));
          return (
            (seat === position.actor && legal.has(word)) === (refusal !== undefined) ||
            (refusal && !/^K\d\.\d$/.test(refusal.rule))
          );
        }),
      );
      expect(wrong).toEqual([]);
      expect(position.whyNot(CHANCE, { type: 'deal' })).toEqual({ code: 'already-dealt', rule: 'K6.0' });
    },
  );

  it.each(goldenNames('ekko/positions'))('%s: the first position and its deal', (name) => {
    const told = JSON.parse(golden('ekko/positions', name)) as { position: PositionJson; dealt: PositionJson };
    const { players, target, turn } = told.position;
    const start = ekko.start(players, turn.dealer, target);
    expect(start.toJson()).toEqual(told.position);
    expect(start.actor).toBe(CHANCE);
    expect(ekko.position(told.dealt).toJson()).toEqual(told.dealt);
  });

  it.each(goldenNames('ekko/games').filter((name) => !name.startsWith('live-')))('%s: a whole game', (name) => {
    const record = golden('ekko/games', name);
    const tag = (key: string): string => new RegExp(`\\[${key} "(.*)"\\]`).exec(record)![1]!;
    let position: EkkoPosition = ekko.start(Number(tag('Players')), Number(tag('Dealer')), Number(tag('Target')));
    const totals: string[] = [];
    for (const [, seat = '', decisions = ''] of record.matchAll(/^\d+\. (table|seat \d): (.*)$/gm)) {
      for (const word of decisions.split(' ').filter((one) => !one.startsWith('{'))) {
        const action = parseAction(word);
        expect(formatAction(action)).toBe(word);
        if (action.type !== 'close') expect(position.actor).toBe(seat === 'table' ? CHANCE : Number(seat.slice(5)));
        position = position.play(action);
        if (position.phase === 'deal' || position.phase === 'over') totals.push(position.toJson().scores.join(' '));
      }
    }
    expect(totals).toEqual([...record.matchAll(/in all ([\d ]+)$/gm)].map(([, points]) => points));
    expect(position.phase).toBe('over');
    expect(position.actor).toBeUndefined();
    expect(record).toContain(`result: ${position.winners.join(', ')} by lowest-total`);
  });

  it('refuses what is not legal and what is no decision', () => {
    const position = ekko.start(2);
    expect(position.isLegal({ type: 'play', card: 5 })).toBe(false);
    expect(() => position.play({ type: 'play', card: 5 })).toThrow(RangeError);
    expect(() => position.play({ type: 'deal' })).toThrow('K6.0');
    for (const word of ['99', '0', '5/', '5/-', '5/-99', 'deal:1,2', 'fold', ''])
      expect(() => parseAction(word)).toThrow(SyntaxError);
  });
});
