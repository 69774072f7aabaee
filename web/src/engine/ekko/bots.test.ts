import { describe, expect, it } from 'vitest';
import { moduleOf } from '../testing';
import { type Action, formatAction } from './action';
import { Bots, LEVELS, type Level } from './bots';
import decisions from './decisions.json';
import { Ekko, type PositionJson, type SeenJson } from './position';
import { Valuer } from './values';

const module = moduleOf('ekko');
const [ekko, bots, valuer] = [new Ekko(module), new Bots(module), new Valuer(module)];

interface Decided {
  readonly position: PositionJson;
  readonly seat: number;
  readonly view: SeenJson;
  readonly word: string;
  readonly bots: Readonly<Record<Level, Action>>;
  /** A sample. */
  readonly values: Readonly<Record<'game' | 'round', number[]> & { points: Record<string, number> }>;
}

describe.each(decisions as unknown as Decided[])('position $#', (given) => {
  const { position, seat, view, word, bots: decided } = given;
  it('shows a seat what it may see', () => {
    expect(ekko.position(position).toSeen(seat)).toEqual(view);
  });

  it.each(LEVELS)('%s decides as in Python', (level) => {
    expect(bots.decide(view, seat, level, BigInt(word))).toEqual(decided[level]);
  });

  it('has decisions of the same values as in Python, and of more exact ones with more deals', () => {
    valuer.begin(position, BigInt(word));
    const { game, round, deals, decisions: valued } = valuer.sample();
    expect(deals).toBe(100);
    const { points } = given.values;
    expect(Object.fromEntries(valued.map(({ action, points }) => [formatAction(action), points]))).toEqual(
      Object.fromEntries(Object.entries(points).map(([name, value]) => [name, expect.closeTo(value, 8)])),
    );
    expect([round, game]).toEqual(
      [given.values.round, given.values.game].map((row) => row.map((share) => expect.closeTo(share, 8))),
    );
    expect(valued.map((one) => one.points)).toEqual(valued.map((one) => one.points).sort((one, other) => other - one));
    const more = valuer.sample();
    expect(more.deals).toBe(200);
    expect(more.decisions[0]!.error).toBeLessThan(valued[0]!.error);
  });
});

it('has the chances alone before a deal', () => {
  valuer.begin(ekko.start(3, 1).toJson());
  const { game, round, decisions: valued } = valuer.sample();
  expect(valued).toEqual([]);
  for (const chances of [game, round]) expect(chances.reduce((sum, one) => sum + one)).toBeCloseTo(1);
});

describe('a mirror', () => {
  const asked = (decisions as unknown as Decided[]).find(({ view }) => view.turn.phase === 'mirror')!;
  const { turn, ...rest } = asked.view;
  const { asked: _, ...quiet } = turn;
  const view: SeenJson = { ...rest, turn: { ...quiet, phase: 'play' } };
  const { mirror } = ekko.position(asked.position);
  const word = BigInt(asked.word);

  it('is played by who holds it, as if asked', () => {
    const decided = asked.bots.strong;
    expect(bots.mirror(view, asked.seat, 'strong', word)).toEqual(decided.type === 'mirror' ? decided : undefined);
  });

  it('is played by nobody else, and not while it is blocked', () => {
    const blocked = { ...view, turn: { ...view.turn, blocked: [mirror] } };
    const without = { ...view, hand: view.hand.map((card) => (card === mirror ? view.zone[0]! : card)) };
    for (const seen of [blocked, without]) expect(bots.mirror(seen, asked.seat, 'strong', word)).toBeUndefined();
  });
});
