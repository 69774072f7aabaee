import { beforeAll, describe, expect, it } from 'vitest';
import { type Advice, advise } from './advice';
import { type Card, quietState, type State } from './protocol';
import { startRules } from './testing';

beforeAll(() => startRules());

/** A race of three on a card of the last one: player 0 is in turn, and the other hands are hidden. */
function race(top: Card, hand: Card[], more: Partial<State> = {}): State {
  const turn = { round: 1, dealer: 2, player: 0, last: 2, phase: 'play' as const };
  const counts = { sizes: [hand.length, 6, 6], set_aside: [0, 0, 0], scores: [0, 0, 0] };
  const position = { players: 3, target: 25, pile: 79, zone: [top], ...counts, drew: [], turn };
  return { ...quietState(position, { '0': { hand, blocked: [], aside: [] } }), ...more };
}
const reasons = ({ reasons }: Advice): string[] => reasons.map(({ reason }) => reason);
const advised = async (state: State, calm = false): Promise<Advice> => (await advise(state, 0, calm))!;

describe('advice in turn', () => {
  it('says what fits, and plays the card that leaves least (K2.1)', async () => {
    expect(await advised(race(37, [93, 95, 12, 20, 30, 31]))).toEqual({
      top: 37,
      fits: [93, 95],
      mirror: null,
      action: { type: 'play', card: 95 },
      reasons: [{ reason: 'narrow', n: 3 }],
    });
  });

  it('keeps an outer card where another one goes as well', async () => {
    const { action, reasons } = await advised(race(37, [97, 40, 12, 20, 30, 31]));
    expect([action, reasons]).toEqual([{ type: 'play', card: 40 }, [{ reason: 'keeps', card: 97 }]]);
  });

  it('plays the only card that fits (K2.1), and draws if none does (K2.2)', async () => {
    expect(reasons(await advised(race(37, [80, 12, 13, 15, 16, 18])))).toEqual(['only']);
    const nothing = await advised(race(91, [2, 3, 4, 5, 6, 7]));
    expect([nothing.fits, nothing.action, reasons(nothing)]).toEqual([[], { type: 'draw' }, ['nothing-fits']]);
  });

  it('plays a multiple of 11 and once more (K2.3)', async () => {
    const advice = await advised(race(21, [33, 47, 2, 4, 6, 8]));
    expect(advice.action).toEqual({ type: 'play', card: 33 });
    expect(reasons(advice).slice(0, 2)).toEqual(['again', 'dear']);
  });
});

describe('advice out of turn', () => {
  const away = (top: Card, hand: Card[], more: Partial<State> = {}): State => {
    const state = race(top, hand, more);
    return { ...state, position: { ...state.position, turn: { ...state.position.turn, player: 1, last: 0 } } };
  };
  const HAND = [73, 66, 2, 4, 6, 8];

  it('plays a mirror (K3.2), and chooses the effect of one that was claimed', async () => {
    const advice = await advised(away(37, HAND));
    expect([advice.fits, advice.mirror, advice.action?.type, advice.action?.card]).toEqual([[], 73, 'mirror', 73]);
    expect(['two-fewer', 'others-draw']).toContain(reasons(advice)[0]);
    const claimed = await advised(away(37, HAND, { stage: 'effect', claim: { seat: 0, card: 73, on: 37 } }));
    const { card: _, ...effect } = advice.action!;
    expect(claimed.action).toEqual({ ...effect, type: 'effect' });
  });

  it('waits without a mirror, and passes where all are asked for one (K7.4)', async () => {
    const advice = await advised(away(37, [80, 81, 82, 83, 84, 85]));
    expect([advice.mirror, advice.action, reasons(advice)]).toEqual([null, null, ['no-mirror']]);
    const window = away(37, [80, 81, 82, 83, 84, 85], { stage: 'window' });
    expect((await advised(window, true)).action).toEqual({ type: 'pass' });
    expect(await advise({ ...window, decided: [0] }, 0, true)).toBeNull();
    expect(await advise(away(37, HAND), 0, true)).toBeNull();
  });
});
