/** Reviews of finished games of EKKO: what the server found, and its sentences. Pure. */

import { nameOf } from '../table/seats';
import { number, percent, plural, t } from '../ui/i18n.svelte';
import { face } from './cards';
import type { Card, Entry, PublicAction, Seat, SeatInfo } from './protocol';
import { entryLine, milliseconds } from './words';

/** `n` counts decisions of the record from 1, `turn` rounds. */
interface At {
  n: number;
  turn: number;
  seat: Seat;
}
export interface Decision extends At {
  /** Expected points, whole. */
  loss: number;
  better?: { action: PublicAction }[];
}
export interface Reaction extends At {
  milliseconds: number;
  kind: 'turn' | 'mirror';
}
interface Luck {
  /** Percent of random deals that are worse, and between which it very likely lies. */
  percentile: number;
  least: number;
  most: number;
}
export type Fact = At &
  (
    | { code: 'review/better'; loss: number }
    | { code: 'review/missed-mirror'; card: Card; on: Card; loss: number; milliseconds?: number; behind?: number }
    | { code: 'review/race'; card: Card; on: Card; loser: Seat; behind: number }
    | ({ code: 'review/lucky' | 'review/unlucky' } & Luck)
  );
export interface Total {
  seat: Seat;
  decisions: number;
  good: number;
  loss: number;
  missed: number;
  won: number;
  lost: number;
  /** Median reaction times in milliseconds. */
  turn: number | null;
  mirror: number | null;
}
export interface Found {
  decisions: Decision[];
  reactions: Reaction[];
  luck: { n: number; turn: number; seats: Luck[] }[];
  totals: Total[];
  facts: Fact[];
}

/** The position of the replay where a fact can be seen: before a decision that could be better, else after its entry. */
export function placeOf({ code, n }: Fact, entries: readonly Entry[]): number {
  const place = entries[n - 1]?.n ?? n;
  return code === 'review/better' ? place - 1 : place;
}

export const seconds = (milliseconds: number | null): string =>
  milliseconds === null ? '–' : t('ekko.review.seconds', { n: number(Math.round(milliseconds / 100) / 10) });

export function betterLine({ better = [] }: Decision): string {
  const { type, card, effect, aside } = better[0]?.action ?? {};
  if (card === undefined) return t('ekko.review.do.pass');
  if (type !== 'mirror') return face(card);
  return t(`ekko.review.do.${effect ?? 'draw'}`, { card: face(card), aside: face(aside) });
}

/** `entries`: as `byArrival` returns them. */
export function factLine(
  fact: Fact,
  { decisions }: Pick<Found, 'decisions'>,
  entries: readonly Entry[],
  seats: readonly SeatInfo[],
): string {
  const name = nameOf(seats, fact.seat);
  switch (fact.code) {
    case 'review/better': {
      const [entry, decision] = [entries[fact.n - 1], decisions.find(({ n }) => n === fact.n)];
      return plural('ekko.review.better', fact.loss, {
        line: entry ? entryLine(entry, seats) : name,
        better: decision ? betterLine(decision) : '',
      });
    }
    case 'review/missed-mirror':
      return [
        t('ekko.review.missed', { name, card: face(fact.card), on: face(fact.on) }),
        ...(fact.milliseconds === undefined ? [] : [t('ekko.review.missed.for', { time: seconds(fact.milliseconds) })]),
        ...(fact.behind === undefined ? [] : [t('ekko.review.missed.late', { behind: milliseconds(fact.behind) })]),
        fact.loss > 0 ? plural('ekko.review.missed.worth', fact.loss) : t('ekko.review.missed.kept'),
      ].join(' ');
    case 'review/race':
      return t('ekko.review.race', {
        name,
        behind: milliseconds(fact.behind),
        loser: nameOf(seats, fact.loser),
        card: face(fact.card),
        on: face(fact.on),
      });
    case 'review/lucky':
      return t('ekko.review.lucky', { name, ...shares(fact) });
    case 'review/unlucky':
      return t('ekko.review.unlucky', { name, ...shares(fact) });
  }
}

/** A sample is never evidence that none or all are worse. */
function shares({ percentile, least, most }: Luck): Record<'share' | 'least' | 'most', string> {
  return {
    share: percent(Math.min(99, Math.max(1, percentile)) / 100),
    least: percent(least / 100),
    most: percent(most / 100),
  };
}

/** "63% (50% to 78%), better than average". */
export function luckLine(luck: Luck): string {
  const { share, least, most } = shares(luck);
  return `${share} (${least} – ${most}): ${t(`ekko.review.luck.${luck.least > 50 ? 'good' : luck.most < 50 ? 'poor' : 'even'}`)}`;
}

export function totalLine({ decisions, good, loss, missed, won, lost }: Total): string {
  return [
    ...(decisions > 0 ? [t('ekko.review.good', { n: good, all: decisions })] : []),
    ...(loss > 0 ? [plural('ekko.review.lost', loss)] : []),
    ...(missed > 0 ? [plural('ekko.review.missed.count', missed)] : []),
    ...(won + lost > 0 ? [t('ekko.review.races', { won, lost })] : []),
  ].join(', ');
}

/** The ends of the axis of reaction times, in milliseconds, and its marks. */
const [SHORTEST, LONGEST] = [200, 30_000];
export const MARKS = [300, 1000, 3000, 10_000] as const;

/** Where a time lies on the axis, 0 to 1: each step multiplies. */
export function placeOnAxis(milliseconds: number): number {
  const share = Math.log(milliseconds / SHORTEST) / Math.log(LONGEST / SHORTEST);
  return Math.min(1, Math.max(0, share));
}
