import { beforeEach, describe, expect, it } from 'vitest';
import { FakeServer, opened, seat } from '../table/testing';
import { loadTexts, setLanguage } from '../ui/i18n.svelte';
import { preferEkko } from './preferences.svelte';
import { type Entry, type Hand, type Order, quietState, type SeatInfo, type Stage, type State } from './protocol';
import { EkkoTableState, TIME_TO_SEE } from './table.svelte';
import { entryLine, lesson, noticeLine, outcomeLine, receiptLines, sentence } from './words';

type EkkoServer = FakeServer<Order & { key: string }>;

const HAND: Hand = { hand: [8, 20, 31, 76, 90], blocked: [], aside: [] };

function state(
  stage: Stage,
  zone: number[],
  more: Partial<State> = {},
  turn: Partial<State['position']['turn']> = {},
): State {
  const position: State['position'] = {
    players: 3,
    target: 25,
    pile: 60,
    zone,
    sizes: [5, 3, 1],
    set_aside: [0, 0, 0],
    scores: [4, 0, 11],
    drew: [],
    turn: { round: 1, dealer: 2, player: 0, last: 2, phase: 'play', ...turn },
  };
  return { ...quietState(position, { '0': HAND }), stage, ...more };
}

function seats(yours: readonly number[]): SeatInfo[] {
  return ['Ada', 'Bo', 'Cy'].map((name, number) => seat(number, name, { yours: yours.includes(number) }));
}

function sit(
  first: State,
  yours: readonly number[] = [0],
  calm = yours.length > 1,
): { server: EkkoServer; table: EkkoTableState } {
  preferEkko({ twoTaps: false });
  const server: EkkoServer = new FakeServer();
  const table = opened(new EkkoTableState(server, () => 0.5), server);
  const options = {
    players: 3,
    target: 25,
    misplays: true,
    reaction: 3,
    turn_clock: 30,
    calm,
    window: 6,
    hints: false,
  };
  server.table({ game: 'ekko', seats: seats(yours), options, state: first });
  return { server, table };
}

const entry = (n: number, more: Partial<Entry>): Entry => ({
  n,
  round: 1,
  seat: 1,
  action: { type: 'play' },
  verdict: 'play',
  notation: '',
  at: 0,
  ...more,
});

function update(server: EkkoServer, now: State, entries: Entry[] = [], keep = 0): void {
  server.update(now, { keep, entries }, ['hands']);
}

beforeEach(async () => {
  await setLanguage('en');
  await loadTexts('ekko');
});

describe('to draw', () => {
  const mayDraw = (turn: Partial<State['position']['turn']>, hand = HAND): boolean =>
    sit(state('race', [38], { hands: { '0': hand } }, turn)).table.mayDraw;

  it('is offered in turn alone', () => expect([mayDraw({}), mayDraw({ player: 1 })]).toEqual([true, false]));
  it('is not offered where nobody followed and any card can be played', () => expect(mayDraw({ last: 0 })).toBe(false));
  it('is offered after a multiple of 11, and where the only card is blocked', () =>
    expect([mayDraw({ last: 0, again: true }), mayDraw({ last: 0 }, { hand: [20], blocked: [20], aside: [] })]).toEqual(
      [true, true],
    ));
});

describe('a card', () => {
  it('is sent with the top card that its player saw, in turn or not', () => {
    const { server, table } = sit(state('race', [38, 67], {}, { player: 1 }));
    table.tap(76);
    expect(server.last).toEqual({ type: 'intent', seat: 0, action: { type: 'play', card: 76, on: 67, round: 1 } });
  });

  it('answers the card before, where the new one has only just come', () => {
    const { server, table } = sit(state('race', [38]));
    update(server, state('race', [38, 83], {}, { last: 1, player: 2 }));
    server.pass(TIME_TO_SEE - 1);
    table.tap(31);
    expect(server.last).toMatchObject({ action: { card: 31, on: 38 } });
  });

  it('answers the new card at once where it is its mirror', () => {
    const { server, table } = sit(state('race', [38]));
    update(server, state('race', [38, 67], {}, { last: 1, player: 2 }));
    table.tap(76);
    expect(server.last).toMatchObject({ action: { card: 76, on: 67 } });
  });

  it("answers the new card once it could be seen, at once if it is the player's own", () => {
    const { server, table } = sit(state('race', [38]));
    update(server, state('race', [38, 83], {}, { last: 1, player: 0 }));
    server.pass(TIME_TO_SEE);
    table.tap(90);
    expect(server.last).toMatchObject({ action: { card: 90, on: 83 } });
    update(server, state('race', [38, 83, 55], {}, { last: 0, player: 0, again: true }));
    server.pass(150);
    expect(table.seen()).toBe(55);
  });

  it('is not played twice by a double tap', () => {
    const { server, table } = sit(state('race', [67]));
    table.tap(76);
    server.pass(100);
    table.tap(90);
    expect(server.sent).toHaveLength(1);
    expect(table.sending).toEqual([76]);
  });

  it('waits for a second tap if the player prefers it', () => {
    const { server, table } = sit(state('race', [67]));
    preferEkko({ twoTaps: true });
    table.tap(76);
    expect([server.sent.length, table.picked]).toEqual([0, 76]);
    table.tap(76);
    expect(server.sent).toHaveLength(1);
  });

  it('is not played before all are ready', () => {
    const { server, table } = sit(state('look', [], {}, { phase: 'deal' }));
    table.tap(76);
    expect(server.sent).toEqual([]);
    expect(noticeLine(table.notice!)).toBe('You can play once everyone is ready.');
  });

  it('is sent again after a lost connection', () => {
    const { server, table } = sit(state('race', [67]));
    server.lose();
    table.tap(90);
    expect([table.connection, table.waiting, server.sent.length]).toEqual(['lost', true, 0]);
    server.comeBack();
    expect(server.last).toMatchObject({ action: { card: 90, on: 67 } });
    server.say({ type: 'ack', key: server.sent[0]!.key, version: 2 });
    expect(table.waiting).toBe(false);
  });
});

describe('drawing', () => {
  it('answers the top card as it is, where the turn has only just come', () => {
    const { server, table } = sit(state('race', [38], {}, { player: 1 }));
    update(server, state('race', [38, 87], {}, { last: 1, player: 0 }));
    table.draw();
    expect(server.last).toEqual({ type: 'intent', seat: 0, action: { type: 'draw', on: 87 } });
  });
  it('answers the card before, where a mirror has only just come into the own turn', () => {
    const { server, table } = sit(state('race', [38]));
    update(server, state('race', [38, 83], {}, { last: 2, player: 0 }));
    table.draw();
    expect(server.last).toMatchObject({ action: { type: 'draw', on: 38 } });
  });
});

describe('the keyboard', () => {
  it('plays the card whose number was typed', () => {
    const { server, table } = sit(state('race', [67]));
    table.type('0');
    table.type('8');
    table.enter();
    expect(server.last).toMatchObject({ action: { card: 8, on: 67 } });
    expect(table.typed).toBe('');
  });
  it('says so where the card is not held', () => {
    const { server, table } = sit(state('race', [67]));
    table.type('9');
    table.rubOut();
    table.type('7');
    table.enter();
    expect(server.sent).toEqual([]);
    expect(table.notice?.code).toBe('not-held');
  });
});

describe('a mirror', () => {
  const claimed = state('effect', [38, 67], { claim: { seat: 0, card: 76, on: 67 } });

  it('lets its player choose the effect and the card to put aside', () => {
    const { server, table } = sit(claimed);
    expect(table.rest).toEqual([8, 20, 31, 90]);
    table.effect('discard');
    expect([table.putting, sentence(table)]).toEqual([true, 'Choose a card to put aside']);
    table.tap(76);
    expect(server.sent).toEqual([]);
    table.tap(90);
    expect(server.last).toEqual({ type: 'intent', seat: 0, action: { type: 'effect', effect: 'discard', aside: 90 } });
  });
  it('puts the only other card aside without asking', () => {
    const { server, table } = sit({ ...claimed, hands: { '0': { ...HAND, hand: [20, 76] } } });
    table.effect('discard');
    expect(server.last).toMatchObject({ action: { effect: 'discard', aside: 20 } });
  });
  it('shows its receipt for some seconds', () => {
    const { server, table } = sit(state('race', [38, 67]));
    const receipt = {
      n: 2,
      winner: { seat: 1, card: 76, kind: 'mirror' as const },
      losers: [{ seat: 0, card: 90, kind: 'play' as const, behind: 1312 }],
    };
    update(server, state('race', [38, 67, 76], { receipt }), [
      entry(1, { verdict: 'mirror' }),
      entry(2, { verdict: 'late', seat: 0, behind: 1312 }),
    ]);
    expect(receiptLines(table.events.receipt!, table.seats)).toEqual(['Bo: mirror 76, 1,312 ms before 90 (Ada)']);
    expect(table.events.recent.map(({ n }) => n)).toEqual([1, 2]);
    server.pass(8000);
    expect([table.events.receipt, table.events.recent]).toEqual([null, []]);
  });
});

describe('a card that comes back', () => {
  it('is explained with its rule, for a while', () => {
    const { server, table } = sit(state('race', [67]));
    update(server, state('race', [67]), [
      entry(1, { seat: 0, verdict: 'misplay', action: { type: 'misplay', card: 20 }, on: 67, draws: [[0, 1]] }),
    ]);
    expect(table.notice).toMatchObject({ code: 'misplay', rule: 'K4.1' });
    update(server, state('race', [67]));
    expect(table.notice).not.toBeNull();
    server.pass(8000);
    expect(table.notice).toBeNull();
  });
  it('is explained no longer once another card is on top', () => {
    const { server, table } = sit(state('race', [67]));
    update(server, state('race', [67]), [entry(1, { seat: 0, verdict: 'misplay' })]);
    update(server, state('race', [67, 90]), [entry(2, { seat: 1 })], 1);
    expect(table.notice).toBeNull();
  });
  it('brings a new card, which is marked for a while', () => {
    const { server, table } = sit(state('race', [67]));
    update(server, state('race', [67], { hands: { '0': { ...HAND, hand: [8, 20, 29, 31, 76, 90], blocked: [29] } } }), [
      entry(1, { seat: 0, verdict: 'misplay' }),
    ]);
    expect([table.events.drawn, table.events.came]).toEqual([[29], [29]]);
    update(
      server,
      state('race', [67, 90], { hands: { '0': { ...HAND, hand: [8, 20, 29, 31, 76] } } }),
      [entry(2, { seat: 0 })],
      1,
    );
    expect([table.events.drawn, table.events.came]).toEqual([[29], []]);
    server.pass(3000);
    expect(table.events.drawn).toEqual([]);
  });
  it('is explained if the clock has decided', () => {
    const { server, table } = sit(state('race', [67]));
    const drawn = entry(1, { seat: 0, verdict: 'draw', action: { type: 'draw' }, clock: true });
    update(server, state('race', [67], {}, { player: 1 }), [drawn]);
    expect(table.notice).toMatchObject({ code: 'clock', rule: 'K7.5' });
    expect(entryLine(drawn, table.seats)).toBe('Ada draws (time is up)');
  });
  it('is explained by the end of its round if that came first, also beside an earlier race', () => {
    const { server, table } = sit(state('race', [38, 67]));
    const receipt = {
      n: 2,
      winner: { seat: 1, card: 76, kind: 'mirror' as const },
      losers: [{ seat: 2, card: 90, kind: 'play' as const, behind: 12 }],
    };
    update(server, state('race', [38, 67, 76], { receipt }));
    const late = entry(1, { seat: 0, verdict: 'late', on: 76, behind: 20 });
    update(server, state('look', [], {}, { round: 2 }), [late]);
    expect([noticeLine(table.notice!), table.notice!.rule]).toEqual(['Too late: the round was already over.', 'K7.2']);
    server.pass(8000);
    expect(table.notice).toBeNull();
  });
  it('names no card where a draw was late', () => {
    const { table } = sit(state('race', [67]));
    const late = entry(1, { seat: 0, verdict: 'late', behind: 4 });
    expect(entryLine({ ...late, action: { type: 'draw' } }, table.seats)).toBe('Ada draws too late, by 4 ms');
    expect(entryLine({ ...late, behind: 0.2, action: { type: 'draw' } }, table.seats)).toBe(
      'Ada draws too late, by 1 ms',
    );
    expect(entryLine({ ...late, action: { type: 'play', card: 7 } }, table.seats)).toBe(
      'Ada is too late with 07, by 4 ms',
    );
  });
  it('of another player changes no notice', () => {
    const { server, table } = sit(state('race', [67]));
    update(server, state('race', [67]), [entry(1, { seat: 1, verdict: 'misplay' })]);
    expect(table.notice).toBeNull();
  });
  it('refers to the rules when it is refused', () => {
    const { server, table } = sit(state('race', [67]));
    table.draw();
    server.say({
      type: 'error',
      key: server.sent[0]!.key,
      code: 'action/illegal',
      refusal: 'must-play',
      rule: 'K2.2',
      message: '',
    });
    expect([noticeLine(table.notice!), table.notice!.rule, table.waiting]).toEqual([
      'You hold a valid card and must play one.',
      'K2.2',
      false,
    ]);
  });
});

describe('windows and rounds', () => {
  it('lets each player pass once, except one with an empty hand', () => {
    const { server, table } = sit(state('window', [67]));
    expect(table.mayPass).toBe(true);
    table.pass();
    expect(server.last).toEqual({ type: 'intent', seat: 0, action: { type: 'pass', on: 67 } });
    update(server, state('window', [67], { decided: [0] }));
    expect(table.mayPass).toBe(false);
    update(server, state('leaving', [67], {}, { leaving: 0 }));
    expect([table.mayPass, sentence(table)]).toEqual([
      false,
      'Your last card is down: the round ends unless 67 is mirrored',
    ]);
  });
  it('shows the score sheet as a round ends, and is ready for the next', () => {
    const { server, table } = sit(state('leaving', [67], {}, { leaving: 1 }));
    const round = {
      dealer: 2,
      points: [5, 0, 1],
      sizes: [5, 0, 1],
      totals: [9, 0, 12],
      reason: 'last-card' as const,
      by: 1,
    };
    update(server, state('look', [], { rounds: [round] }, { round: 2, phase: 'deal' }));
    expect(table.sheet).toBe(true);
    table.ready();
    expect(table.sheet).toBe(false);
    expect(server.last).toEqual({ type: 'intent', seat: 0, action: { type: 'ready', round: 2 } });
  });
  it('drops the previous card when a new round begins', () => {
    const { server, table } = sit(state('leaving', [38, 67], {}, { leaving: 1 }));
    update(server, state('race', [12], {}, { round: 2, last: 1 }));
    expect(table.seen()).toBe(12);
  });
  it('runs the clock from when the message came', () => {
    const { server, table } = sit(state('window', [67], { remaining: 4000, of: 6000 }));
    expect(table.ends).toBe(server.clock + 4000);
  });
});

describe('the sentence', () => {
  it.each<[string, State]>([
    ['Your turn: play a card above 67; if none fits, draw', state('race', [67])],
    ['Your turn: play a card below 38; if none fits, draw', state('race', [38])],
    ['Once more: play a card above your 55; if none fits, draw', state('race', [55], {}, { last: 0, again: true })],
    [
      'A multiple of 11 cannot be your last card: draw one',
      state('race', [55], { hands: { '0': { ...HAND, hand: [] } } }, { last: 0, again: true }),
    ],
    ['Your turn: nobody followed, play any card', state('race', [67], {}, { last: 0 })],
    ['Bo must play above 67', state('race', [67], {}, { player: 1 })],
    ['Nobody followed: Cy plays any card', state('race', [67], {}, { player: 2 })],
    ['Do you hold the mirror of 67? Play it, or pass', state('window', [67])],
    [
      'Your mirror counts: waiting for the others',
      state('window', [67], { decided: [0], hands: { '0': { ...HAND, claimed: 76 } } }),
    ],
    ['Who has the mirror of 67?', state('window', [67], { decided: [0] })],
    ['Waiting for Bo and Cy', state('look', [], { ready: [0] }, { phase: 'deal' })],
    ['Bo mirrors 67 with 76 and chooses the effect', state('effect', [67], { claim: { seat: 1, card: 76, on: 67 } })],
    ['Bo is out of cards. Play the mirror of 67 now, or pass', state('leaving', [67], {}, { leaving: 1 })],
  ])('%s', (words, now) => {
    expect(sentence(sit(now).table)).toBe(words);
  });
  it('teaches in the first round only', () => {
    const first = state('race', [67]);
    expect(lesson(sit(first).table)).toBe('+ asks for a higher card, − for a lower one. If none of yours fits, draw.');
    const round = {
      dealer: 2,
      points: [0, 1, 2],
      sizes: [0, 1, 2],
      totals: [0, 1, 2],
      reason: 'last-card' as const,
      by: 0,
    };
    expect(lesson(sit({ ...first, rounds: [round] }).table)).toBeNull();
    expect(lesson(sit(first, []).table)).toBeNull();
    expect(lesson(sit(state('race', [67], {}, { last: 0 })).table)).toBeNull(); // any card can be played
  });
  it('has no advice to be quick in calm mode', () => {
    const others = state('race', [67], {}, { player: 2 });
    expect(lesson(sit(others).table)).toMatch(/^Watch the top card/);
    const { server, table } = sit(others);
    server.table({ game: 'ekko', seats: seats([0]), options: { ...table.options!, calm: true }, state: others });
    expect(lesson(table)).toBeNull();
  });
  it('names a tie', () => {
    const over = state('over', [67], { outcome: { winners: [0, 1], reason: 'tie', rule: 'K5.6' } });
    expect(outcomeLine(over, seats([]))).toBe('A tie: Ada and Bo, 4 points each');
  });
  it('tells the winner so in the second person', () => {
    const over = state('over', [67], { outcome: { winners: [0], reason: 'lowest-total', rule: 'K5.6' } });
    expect(outcomeLine(over, seats([0]))).toBe('You win with 4 points');
    expect(outcomeLine(over, seats([1]))).toBe('Ada wins with 4 points');
  });
});

describe('several people at one device', () => {
  const hands = { '0': HAND, '1': { hand: [5, 17], blocked: [], aside: [] } };

  it('hides every hand until the named player has it', () => {
    const { server, table } = sit(state('race', [67], { hands }), [0, 1]);
    expect([table.wanted, table.viewer, table.hand]).toEqual([0, null, null]);
    table.tap(76);
    expect(server.sent).toEqual([]);
    table.take(0);
    expect(table.hand?.hand).toEqual(HAND.hand);
    update(server, state('race', [67, 90], { hands }, { player: 1, last: 0 }));
    expect([table.wanted, table.hand]).toEqual([1, null]);
  });
  it('goes from player to player to look at the cards', () => {
    const { server, table } = sit(state('look', [], { hands }, { phase: 'deal' }), [0, 1]);
    table.take(0);
    table.ready();
    expect(server.last).toMatchObject({ seat: 0, action: { type: 'ready' } });
    update(server, state('look', [], { hands, ready: [0] }, { phase: 'deal' }));
    expect([table.wanted, table.viewer]).toEqual([1, null]);
  });
  it('asks all of them in a window, and can pass for all that are left', () => {
    const { server, table } = sit(state('window', [71], { hands }), [0, 1]);
    expect(table.wanted).toBe('window');
    table.take(1);
    table.tap(17);
    expect(server.last).toMatchObject({ seat: 1, action: { type: 'play', card: 17, on: 71 } });
    update(server, state('window', [71], { hands, decided: [1] }));
    expect(table.viewer).toBeNull();
    table.passForAll();
    expect(server.last).toMatchObject({ seat: 0, action: { type: 'pass', on: 71 } });
    expect(server.sent).toHaveLength(2);
  });
});

describe('looking away in calm mode', () => {
  /** The times and messages of a player who looks away with a hand. */
  function passes(hand: number[]): [number, Order][] {
    const held = { hands: { '0': { ...HAND, hand } } };
    const { server, table } = sit(state('window', [38], held), [0], true);
    const sent: [number, Order][] = [];
    table.autoPass.look();
    for (const zone of [[38], [38, 12], [38, 12, 67]]) {
      update(server, state('race', zone, held, { player: 1 }));
      update(server, state('window', zone, held, { player: 2 }));
      for (let tenth = 0; tenth < 40; tenth++) {
        const before = server.sent.length;
        server.pass(100);
        sent.push(...server.sent.slice(before).map((one): [number, Order] => [server.clock, one]));
      }
    }
    return sent;
  }

  it('passes at the same moments whatever the hand (K7.6)', () => {
    expect(passes([21, 76, 83])).toHaveLength(3); // the mirrors of 12, 67 and 38
    expect(passes([21, 76, 83])).toEqual(passes([1, 2, 3]));
  });

  it('needs no call for a window, and ends by playing and with a new hand', () => {
    const { server, table } = sit(state('window', [67]), [0], true);
    expect([table.mayAutoPass, table.called]).toEqual([true, true]);
    table.autoPass.look();
    expect([table.called, sentence(table)]).toEqual([false, 'You pass automatically']);
    table.tap(76);
    expect([table.autoPass.on, server.last]).toMatchObject([false, { action: { type: 'play', card: 76 } }]);
    table.autoPass.look();
    update(server, state('look', []));
    expect(table.autoPass.on).toBe(false);
  });

  it('is not offered in quick games or on a shared device', () => {
    expect(sit(state('leaving', [67])).table.mayAutoPass).toBe(false);
    expect(sit(state('window', [67]), [0, 1]).table.mayAutoPass).toBe(false);
  });
});

it('the device goes round the undecided players while the window is open', () => {
  const { server, table } = sit(state('window', [67]), [0, 1]);
  expect(table.wanted).toBe('window');
  table.goRound();
  expect(table.wanted).toBe(0);
  update(server, state('window', [67], { decided: [0] }));
  expect(table.wanted).toBe(1);
  update(server, state('race', [67], {}, { player: 2 }));
  update(server, state('window', [67, 70]));
  expect(table.wanted).toBe('window');
});
