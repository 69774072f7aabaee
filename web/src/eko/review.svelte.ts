/** Reviews of finished games of Ekö: what the server found, and what the page computes from it. */
import type * as sent from '../protocol/messages';
import { numbered } from '../table/analysis/tree';
import { Following, type Progress } from '../table/review.svelte';
import { nameOf } from '../table/seats';
import { number, percent, plural, t } from '../ui/i18n.svelte';
import type { Entry, Seat, Source } from './protocol';
import { type Scene, shortLine } from './story';

/** The worst first. */
export const JUDGEMENTS = ['blunder', 'mistake', 'inaccuracy'] as const;
export type Judgement = (typeof JUDGEMENTS)[number];
const COUNTED = ['attack', 'points', 'exposed', 'wasted', 'sites', 'threats'] as const;
export type Kind =
  | (typeof COUNTED)[number]
  | 'win'
  | 'loses'
  | 'emperor'
  | 'capture'
  | 'back'
  | 'forced-win'
  | 'forced-loss'
  | 'capital'
  | 'hunt'
  | 'later';

/** `count`: of discs or points. */
type Reason = Pick<sent.ReviewedDecision, 'count'> & { kind?: Kind };
export type Decision = Omit<sent.ReviewedDecision, 'better' | 'kind' | 'until'> &
  Reason & { better?: Omit<Entry, 'n' | 'at'>[]; until?: Omit<Entry, 'at'> };
export interface Mistake extends Decision {
  judgement: Judgement;
  better: NonNullable<Decision['better']>;
}
/** A good decision after which its player's chance fell all the same, when it was answered. */
export interface Overturned extends Decision {
  until: Omit<Entry, 'at'>;
  fell: number;
}
export type Lost = Mistake | Overturned;
export type Fact = { n: number; turn: number; seat: Seat } & (
  | { code: 'review/lead-changed' | 'review/missed-win' }
  | ({ code: 'review/largest-miss'; loss: number } & Reason)
  | ({ code: 'review/turning-point'; winner: Seat; chance: number; loss: number } & Reason)
  | { code: 'review/won'; source: Source; count: number }
);
export interface Found extends Pick<sent.Review, 'accuracy'> {
  decisions: Decision[];
  facts: Fact[];
}
export type Answer = Progress<Found>;

export function mistakesOf({ decisions }: Found): Mistake[] {
  return decisions.filter(isMistake);
}

const isMistake = (one: Decision): one is Mistake => one.judgement !== undefined && one.better !== undefined;

/** The mistakes without inaccuracies, and the decisions that were good until they were answered. */
export function lostBy({ decisions }: Found): Lost[] {
  return decisions.filter((one): one is Lost => isOverturned(one) || (isMistake(one) && isLarge(one)));
}

const isLarge = ({ judgement }: Mistake): boolean => judgement !== 'inaccuracy';

export const isOverturned = (one: Decision): one is Overturned => one.until !== undefined && one.fell !== undefined;

/** Those worth a second try. */
export function lessonsOf(mistakes: readonly Mistake[], seat: Seat): Mistake[] {
  return mistakes.filter((one) => one.seat === seat && isLarge(one));
}

/** The better alternative, or the answer, as decisions of a log. */
export function entriesOf(one: Lost): Entry[] {
  return isOverturned(one) ? [one.until as Entry] : (numbered(one.better, one.n - 1) as Entry[]);
}

/** What a decision cost. */
export const costOf = (one: Lost): number => (isOverturned(one) ? one.fell : one.loss);

/** A player's chances as a path in a picture of this size, with a gap where they are not known, and a dot for one that stands alone. */
export function curve(chances: Answer['chances'], seat: Seat, width: number, height: number): string {
  let known = false;
  return chances
    .map((one, n) => {
      const before = known;
      known = one !== null;
      if (one === null) return '';
      const point = pointOf(chances, n, one[seat] ?? 0, width, height).join(' ');
      return before ? `L${point}` : `M${point}h0`;
    })
    .join('');
}

export function pointOf(
  { length }: Answer['chances'],
  n: number,
  chance: number,
  width: number,
  height: number,
): [x: number, y: number] {
  return [Math.round((10 * width * n) / Math.max(1, length - 1)) / 10, Math.round(10 * height * (1 - chance)) / 10];
}

export function reasonLine({ kind, count = 0 }: Reason): string {
  if (kind === undefined) return '';
  const counted = COUNTED.find((one) => one === kind);
  return counted
    ? plural(`review.kind.${counted}`, count)
    : t(`review.kind.${kind as Exclude<Kind, (typeof COUNTED)[number]>}`);
}

export const lossLine = (loss: number): string => `−${percent(loss)}`;

/** The theme of puzzles that exercises what was missed. */
export const THEMES: Partial<Record<Kind, 'win' | 'stop' | 'capture' | 'save'>> = {
  win: 'win',
  'forced-win': 'win',
  loses: 'stop',
  'forced-loss': 'stop',
  attack: 'capture',
  capture: 'capture',
  emperor: 'save',
  exposed: 'save',
};

/** The theme of the most frequent mistakes of a player; null: of no theme. */
export function themeOf(mistakes: readonly Mistake[], seats: readonly Seat[]): string | null {
  const counts = new Map<string, number>();
  for (const { seat, kind } of mistakes) {
    const theme = kind && THEMES[kind];
    if (theme && seats.includes(seat)) counts.set(theme, (counts.get(theme) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  return most?.[0] ?? null;
}

export function factLine(fact: Fact, { seats }: Scene): string {
  const name = nameOf(seats, fact.seat);
  switch (fact.code) {
    case 'review/largest-miss':
      return `${t('review.fact.largest-miss', { name, loss: lossLine(fact.loss) })} ${reasonLine(fact)}`.trim();
    case 'review/turning-point':
      return [
        t('review.fact.turning-point', { name, loss: lossLine(fact.loss) }),
        reasonLine(fact),
        t('review.fact.decided', { name: nameOf(seats, fact.winner), chance: percent(fact.chance) }),
      ]
        .filter((part) => part !== '')
        .join(' ');
    case 'review/won':
      return t('review.fact.won', { name, source: t(`points.${fact.source}`), points: number(fact.count) });
    case 'review/lead-changed':
      return t('review.fact.lead-changed', { name });
    case 'review/missed-win':
      return t('review.fact.missed-win', { name });
  }
}

/** What would have been better, decision by decision; for a good decision, the answer to it. */
export function betterLine(one: Lost, scene: Scene): string {
  const moves = entriesOf(one)
    .map((entry) => shortLine(entry, scene))
    .join(', ');
  return isOverturned(one)
    ? t('review.until', { name: nameOf(scene.seats, one.until.seat), move: moves })
    : t('review.better', { moves });
}

/** "2 blunders, 1 mistake"; empty if there are none. */
export function countsLine(mistakes: readonly Mistake[], seat: Seat): string {
  const counts = JUDGEMENTS.map(
    (judgement) =>
      [judgement, mistakes.filter((one) => one.seat === seat && one.judgement === judgement).length] as const,
  );
  return counts.flatMap(([judgement, n]) => (n > 0 ? [plural(`review.count.${judgement}`, n)] : [])).join(', ');
}

export class Review extends Following<Found> {
  readonly mistakes: readonly Mistake[] = $derived(this.answer?.review ? mistakesOf(this.answer.review) : []);
  readonly lost: readonly Lost[] = $derived(this.answer?.review ? lostBy(this.answer.review) : []);
}
