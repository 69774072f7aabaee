import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { POLL } from '../table/review.svelte';
import { seat } from '../table/testing';
import { loadTexts, percent, setLanguage, t } from '../ui/i18n.svelte';
import { LANGUAGES } from '../ui/languages';
import type { BoardSpace, Entry } from './protocol';
import {
  type Answer,
  betterLine,
  costOf,
  countsLine,
  curve,
  type Decision,
  type Found,
  factLine,
  isOverturned,
  lessonsOf,
  lossLine,
  lostBy,
  type Mistake,
  mistakesOf,
  Review,
  reasonLine,
  themeOf,
} from './review.svelte';
import { type Scene, shortLine } from './story';

const space = (name: string, q: number): BoardSpace => ({ space: `${q},0`, name, q, r: 0, terrain: 'sand', tile: 0 });
const SCENE: Scene = {
  seats: [seat(0, 'Ada'), seat(1, 'Bo')],
  board: { spaces: [space('b4', 0), space('c5', 1)], tiles: [], portals: [], pyramids: [], beacons: [] },
};
const MOVE: Omit<Entry, 'n' | 'at'> = {
  turn: 3,
  seat: 0,
  action: { type: 'move', from: '0,0', to: '1,0' },
  effect: 'move',
  notation: 'b4-c5',
};
const BACK: Omit<Entry, 'n' | 'at'> = {
  turn: 3,
  seat: 0,
  action: { type: 'reinforce', space: '1,0', count: 2 },
  effect: 'reinforce',
  notation: 'c5+2',
};
const decision = (n: number, more: Partial<Decision> = {}): Decision => ({
  n,
  turn: n,
  seat: 0,
  loss: 0.2,
  better: [MOVE, BACK],
  ...more,
});
const mistake = (n: number, judgement: Mistake['judgement'], seat = 0): Mistake =>
  ({ ...decision(n), seat, judgement }) as Mistake;

await Promise.all(['eko', 'eko/study'].map(loadTexts));
afterEach(() => setLanguage('en'));

describe('the curve of chances', () => {
  it('spans the picture, certain wins at the top', () => {
    const chances = [
      [0.5, 0.5],
      [1, 0],
      [0, 1],
    ];
    expect(curve(chances, 0, 200, 100)).toBe('M0 50h0L100 0L200 100');
    expect(curve(chances, 1, 200, 100)).toBe('M0 50h0L100 100L200 0');
  });
  it('has gaps where chances are not known yet, dots for single ones, and is empty before any is', () => {
    expect(curve([[0.5, 0.5], null, [0.25, 0.75], [0, 1], null], 0, 400, 100)).toBe('M0 50h0M200 75h0L300 100');
    expect(curve([], 0, 400, 100)).toBe('');
  });
});

const KINDS = [
  'win',
  'loses',
  'emperor',
  'capture',
  'back',
  'forced-win',
  'forced-loss',
  'capital',
  'attack',
  'points',
  'exposed',
  'wasted',
  'hunt',
  'sites',
  'threats',
  'later',
] as const;

describe('sentences', () => {
  it.each([
    ['en', 'Ada could have won this turn.'],
    ['de', 'Ada hätte in diesem Zug gewinnen können.'],
    ['fr', 'Ada pouvait gagner à ce tour.'],
    ['cs', 'Ada promarňuje výhru v tomto tahu.'],
  ])('say in %s that a win was missed, which no golden text does', async (language, sentence) => {
    await setLanguage(language);
    expect(factLine({ code: 'review/missed-win', n: 9, turn: 5, seat: 0 }, SCENE)).toBe(sentence);
  });
  it.each(LANGUAGES)('have words for each kind of mistake: $tag', async ({ tag }) => {
    await setLanguage(tag);
    for (const count of [1, 2, 5]) {
      const said = KINDS.map((kind) => reasonLine({ kind, count }));
      expect(new Set(said).size).toBe(KINDS.length);
      for (const sentence of said) expect(sentence).toMatch(/^[^{}]+ [^{}]+\.$/);
    }
  });
  it('say what would have been better, decision by decision', () => {
    expect(betterLine(mistake(4, 'blunder'), SCENE)).toBe('Better: b4 → c5, 2 discs back on c5');
  });
  it('call a decision good until it is answered', () => {
    const until = { ...MOVE, n: 6, seat: 1 };
    const [overturned] = lostBy({
      decisions: [{ ...decision(5), loss: 0, until, fell: 0.12 }],
      accuracy: [],
      facts: [],
    });
    expect([betterLine(overturned!, SCENE), lossLine(costOf(overturned!))]).toEqual([
      'A good move until Bo answers: b4 → c5',
      '−12%',
    ]);
    expect(mistakesOf({ decisions: [overturned!], accuracy: [], facts: [] })).toEqual([]);
  });
  it('are listed without inaccuracies', () => {
    const decisions = [mistake(1, 'inaccuracy'), mistake(2, 'blunder')];
    expect(lostBy({ decisions, accuracy: [], facts: [] }).map(({ n }) => n)).toEqual([2]);
  });
  it('tell the turning point with what it cost and why', () => {
    const fact = { n: 7, turn: 4, seat: 1, winner: 0, loss: 0.26, chance: 0.75 };
    expect(factLine({ ...fact, code: 'review/turning-point', kind: 'emperor' }, SCENE)).toBe(
      'The turning point, by Bo: −26%. The Emperor can be captured now. From here on, Ada has at least a 75% chance to win.',
    );
  });
  it('count the mistakes of a player by kind, the worst first', async () => {
    const mistakes = [mistake(1, 'inaccuracy'), mistake(2, 'blunder'), mistake(3, 'blunder'), mistake(4, 'mistake', 1)];
    expect(countsLine(mistakes, 0)).toBe('2 blunders, 1 inaccuracy');
    await setLanguage('cs');
    expect(countsLine(mistakes, 0)).toBe('2 hrubé chyby, 1 nepřesnost');
    expect(countsLine([], 0)).toBe('');
  });
});

describe('mistakes', () => {
  it('are the decisions with a judgement', () => {
    const decisions = [decision(1), decision(2, { judgement: 'blunder' }), decision(3, { loss: 0 })];
    expect(mistakesOf({ decisions, accuracy: [], facts: [] }).map(({ n }) => n)).toEqual([2]);
  });
  it('to learn from are a player’s own, without inaccuracies', () => {
    const mistakes = [mistake(1, 'inaccuracy'), mistake(2, 'blunder'), mistake(3, 'mistake', 1), mistake(4, 'mistake')];
    expect(lessonsOf(mistakes, 0).map(({ n }) => n)).toEqual([2, 4]);
  });
});

describe('a review that is asked for', () => {
  const answer = (state: Answer['state'], more: Partial<Answer> = {}): Answer => ({
    state,
    place: null,
    examined: 0,
    questions: 0,
    chances: [],
    review: null,
    ...more,
  });
  const answers: Answer[] = [];
  const methods: string[] = [];
  beforeEach(() => {
    vi.useFakeTimers();
    answers.length = methods.length = 0;
    vi.stubGlobal('fetch', (_: string, { method }: { method: string }) => {
      methods.push(method);
      const next = answers.shift();
      return next
        ? Promise.resolve({ ok: true, json: () => Promise.resolve(next) })
        : Promise.reject(new TypeError('offline'));
    });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  const follow = async (): Promise<Review> => {
    const review = new Review('abc', (task, milliseconds) => {
      const timer = setTimeout(task, milliseconds);
      return () => clearTimeout(timer);
    });
    await review.follow();
    return review;
  };

  it('is made if it is not there, and followed each second until it is done', async () => {
    answers.push(
      answer('none'),
      answer('waiting', { place: 2 }),
      answer('running', { examined: 1, questions: 4 }),
      answer('done'),
    );
    const review = await follow();
    expect(review.answer?.place).toBe(2);
    await vi.advanceTimersByTimeAsync(POLL);
    expect(review.answer?.examined).toBe(1);
    await vi.advanceTimersByTimeAsync(10 * POLL);
    expect([review.answer?.state, methods]).toEqual(['done', ['GET', 'POST', 'GET', 'GET']]);
  });
  it('is only read if it is there', async () => {
    answers.push(answer('done'));
    await follow();
    await vi.advanceTimersByTimeAsync(10 * POLL);
    expect(methods).toEqual(['GET']);
  });
  it('is asked for again after a lost connection, and no more once its page is closed', async () => {
    const review = await follow();
    answers.push(answer('running'));
    await vi.advanceTimersByTimeAsync(POLL);
    expect(review.answer?.state).toBe('running');
    review.stop();
    await vi.advanceTimersByTimeAsync(10 * POLL);
    expect(methods).toEqual(['GET', 'GET']);
  });
});

it('practises what a player has missed most often, not what others have', () => {
  const missed = (kind: Mistake['kind'], of = 0): Mistake => ({ ...mistake(1, 'mistake', of), kind: kind! });
  expect(
    themeOf(
      [missed('emperor'), missed('loses'), missed('exposed'), missed('win', 1), missed('win', 1), missed('win', 1)],
      [0],
    ),
  ).toBe('save');
  expect(themeOf([missed('later'), missed('win', 1)], [0])).toBeNull();
});

interface Golden {
  names: string[];
  spaces: { space: string; name: string }[];
  log: Entry[];
  review: Found;
}
const GOLDEN = import.meta.glob<Golden>('../../../tests/golden/reviews/eko-*.json', { eager: true, import: 'default' });

describe.each(Object.entries(GOLDEN))('%s', (path, { names, spaces, log, review }) => {
  const scene: Scene = {
    seats: names.map((name, n) => seat(n, name)),
    board: { ...SCENE.board!, spaces: spaces.map(({ space: at, name }, n) => ({ ...space(name, n), space: at })) },
  };
  const lost = lostBy(review);
  it.each(LANGUAGES.map(({ tag }) => tag))('has the sentences of the golden text in %s', async (tag) => {
    await setLanguage(tag);
    const lines = [
      ...review.accuracy.map(
        (accuracy, of) =>
          `${names[of]}: ${t('review.accuracy')} ${accuracy === null ? '–' : percent(accuracy / 100)}; ${countsLine(mistakesOf(review), of) || t('review.faultless')}`,
      ),
      '',
      ...review.facts.map((fact) => `${t('review.turn', { turn: fact.turn })}: ${factLine(fact, scene)}`),
      ...lost.flatMap((one) => [
        '',
        `${t('review.turn', { turn: one.turn })}, ${names[one.seat]}. ${isOverturned(one) ? lossLine(one.fell) : `${t(`review.${one.judgement}`)}, ${lossLine(one.loss)}. ${reasonLine(one)}`}`,
        t('review.played', { move: shortLine(log[one.n - 1]!, scene) }),
        betterLine(one, scene),
      ]),
    ];
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(path.replace('.json', `.${tag}.txt`));
  });
});
