import { afterEach, describe, expect, it } from 'vitest';
import { seat } from '../table/testing';
import { loadTexts, setLanguage, t } from '../ui/i18n.svelte';
import { LANGUAGES } from '../ui/languages';
import { byArrival } from './log';
import type { Entry } from './protocol';
import {
  betterLine,
  type Decision,
  type Fact,
  type Found,
  factLine,
  luckLine,
  placeOf,
  placeOnAxis,
  seconds,
  totalLine,
} from './review';

const SEATS = [seat(0, 'Ada'), seat(1, 'Bo')];
const entry = (n: number, at: number, more: Partial<Entry> = {}): Entry => ({
  n,
  round: 1,
  seat: 0,
  action: { type: 'play', card: 30 },
  verdict: 'play',
  notation: '30',
  at,
  ...more,
});
const ENTRIES = [entry(1, 0), entry(2, 10), entry(3, 20)];
const AT = { n: 3, turn: 1, seat: 0 };
const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ');
/** What no golden text says. */
const FACTS: [Fact, en: string, de: string, fr: string, cs: string][] = [
  [
    { ...AT, code: 'review/missed-mirror', card: 5, on: 50, loss: 1, milliseconds: 1500, behind: 35 },
    'Ada does not play 05, the mirror of 50. It was possible for 1.5 s. It came 35 ms too late. It was worth about 1 point.',
    'Ada spielt 05, den Spiegel von 50, nicht. Möglich war es 1,5 s lang. Er kam 35 ms zu spät. Er war etwa 1 Punkt wert.',
    'Ada ne joue pas 05, le Miroir de 50. C’était possible pendant 1,5 s. Il est arrivé 35 ms trop tard. Il valait environ 1 point.',
    'Ada nehraje 05, zrcadlo k 50. Možné to bylo po dobu 1,5 s. Přišlo o 35 ms pozdě. Mělo cenu asi 1 bodu.',
  ],
  [
    { ...AT, code: 'review/race', card: 69, on: 96, loser: 1, behind: 40 },
    'Ada is 40 ms quicker than Bo: 69 on 96.',
    'Ada ist 40 ms schneller als Bo: 69 auf 96.',
    'Ada devance Bo de 40 ms : 69 sur 96.',
    'Ada: 69 na 96, o 40 ms dřív než Bo.',
  ],
];

await Promise.all(['ekko', 'ekko/study'].map(loadTexts));
afterEach(() => setLanguage('en'));

describe('sentences', () => {
  it.each(FACTS)('say in four languages what happened: %o', async (fact, en, de, fr, cs) => {
    for (const [language, sentence] of Object.entries({ en, de, fr, cs })) {
      await setLanguage(language);
      expect(plain(factLine(fact, { decisions: [] }, ENTRIES, SEATS))).toBe(sentence);
    }
  });
  it.each(LANGUAGES)('name each better choice: $tag', async ({ tag }) => {
    await setLanguage(tag);
    const said = [
      { type: 'play', card: 44 },
      { type: 'mirror', card: 73, effect: 'discard', aside: 22 },
      { type: 'mirror', card: 73, effect: 'draw' },
      { type: 'pass' },
    ].map((action) => betterLine({ ...AT, loss: 1, better: [{ action }] } as Decision));
    expect(new Set(said).size).toBe(4);
    for (const line of said) expect(line).not.toMatch(/[{}]|review/);
  });
  it('sum up a player, without what did not happen', () => {
    const total = { seat: 0, decisions: 12, good: 9, loss: 4, missed: 1, won: 2, lost: 1, turn: 1200, mirror: null };
    expect(totalLine(total)).toBe(
      '9 of 12 choices good, about 4 points lost, 1 mirror not played, races: 2 won, 1 lost',
    );
    expect(totalLine({ ...total, good: 12, loss: 0, missed: 0, won: 0, lost: 0 })).toBe('12 of 12 choices good');
    expect(totalLine({ ...total, decisions: 0, good: 0, loss: 0, missed: 0, won: 0, lost: 0 })).toBe('');
  });
  it('call a deal lucky only where it can be told from an average one', () => {
    expect(luckLine({ percentile: 63, least: 51, most: 75 })).toBe('63% (51% – 75%): better than average');
    expect(luckLine({ percentile: 63, least: 49, most: 75 })).toContain('cannot be told');
    expect(luckLine({ percentile: 30, least: 20, most: 49 })).toContain('worse than average');
  });
});

describe('places', () => {
  it('are those of the log, which lists a mirror of calm mode later than it came', () => {
    const log = [entry(1, 0), entry(2, 900), entry(3, 400, { verdict: 'claim' })];
    const entries = byArrival(log);
    expect(entries.map(({ n }) => n)).toEqual([1, 3, 2]);
    expect(placeOf({ ...AT, n: 2, code: 'review/race', card: 69, on: 96, loser: 1, behind: 40 }, entries)).toBe(3);
  });
  it('show the hands before a decision that could be better', () => {
    expect(placeOf({ ...AT, code: 'review/better', loss: 2 }, ENTRIES)).toBe(2);
    expect(placeOf({ ...AT, code: 'review/missed-mirror', card: 5, on: 50, loss: 1 }, ENTRIES)).toBe(3);
  });
  it('on the axis of times grow with the time and stay inside', () => {
    const places = [1, 200, 600, 5000, 30_000, 90_000].map(placeOnAxis);
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect([places[0], places.at(-1)]).toEqual([0, 1]);
    expect([seconds(1450), seconds(null)]).toEqual(['1.5 s', '–']);
  });
});

interface Golden {
  names: string[];
  log: Entry[];
  review: Found;
}
const GOLDEN = import.meta.glob<Golden>('../../../tests/golden/reviews/ekko-*.json', {
  eager: true,
  import: 'default',
});

describe.each(Object.entries(GOLDEN))('%s', (path, { names, log, review }) => {
  const [seats, entries] = [names.map((name, n) => seat(n, name)), byArrival(log)];
  it.each(LANGUAGES.map(({ tag }) => tag))('has the sentences of the golden text in %s', async (tag) => {
    await setLanguage(tag);
    const rounds = [...new Set([...review.luck, ...review.facts].map(({ turn }) => turn))].sort(
      (one, other) => one - other,
    );
    const lines = [
      ...review.totals.map((total) => `${names[total.seat]}: ${totalLine(total)}`),
      ...rounds.flatMap((round) => [
        '',
        t('ekko.scores.round', { n: round }),
        ...(review.luck.find(({ turn }) => turn === round)?.seats ?? []).map(
          (luck, of) => `${names[of]}: ${luckLine(luck)}`,
        ),
        ...review.facts.filter(({ turn }) => turn === round).map((fact) => factLine(fact, review, entries, seats)),
      ]),
    ];
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(path.replace('.json', `.${tag}.txt`));
  });
});
