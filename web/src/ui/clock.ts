/** Clocks of turn-based games: what can be chosen, and times as text. */
import type { ClockPlan } from '../protocol/messages';
import { fill, plural, spokenLanguage, t } from './i18n.svelte';

export const TIME_UP = ['lose', 'bot', 'pass'] as const;
export type TimeUp = (typeof TIME_UP)[number];

export interface Clocked {
  /** Milliseconds per seat when the message was sent; null: no clock. */
  left?: readonly (number | null)[];
  running?: readonly number[];
  on_vacation?: readonly number[];
  /** In an arena: who plays with half of the time, and who may still choose that. */
  berserk?: readonly number[];
  may_berserk?: readonly number[];
}

/** Minutes for the game, seconds per turn. */
const LIVE: readonly (readonly [minutes: number, seconds: number])[] = [
  [5, 10],
  [10, 15],
  [15, 30],
];
export const DAYS: readonly number[] = [1, 3, 7];
export const livePlans = (up: TimeUp): ClockPlan[] =>
  LIVE.map(([minutes, seconds]) => ({ base: minutes * 60, increment: seconds, up }));
export const plans = (up: TimeUp): ClockPlan[] => [...livePlans(up), ...DAYS.map((days) => ({ days, up }))];
/** Seconds per turn at least where a turn can be passed on time. */
export const LEAST_TO_GO_ON = 5;

export const LIMITS = { minutes: [0, 240], seconds: [0, 600], days: [1, 14] } as const;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Tenths of a second are shown below this, of a clock. */
const SHORT = 10 * SECOND;

export function planOf(stored: unknown): ClockPlan | null {
  const { base, increment, days, up } = (stored ?? {}) as Record<string, unknown>;
  const known = TIME_UP.find((word) => word === up);
  if (known === undefined) return null;
  if (typeof days === 'number') return { days, up: known };
  return typeof base === 'number' && typeof increment === 'number' ? { base, increment, up: known } : null;
}

export function upsOf(plan: ClockPlan): readonly TimeUp[] {
  return TIME_UP.filter((up) => up !== 'pass' || plan.days !== undefined || (plan.increment ?? 0) >= LEAST_TO_GO_ON);
}

export function allowed(plan: ClockPlan): ClockPlan {
  return upsOf(plan).includes(plan.up ?? 'lose') ? plan : { ...plan, up: 'lose' };
}

export function planLine(plan: ClockPlan): string {
  if (plan.days !== undefined) return plural('clock.days', plan.days);
  return t('clock.live', { minutes: (plan.base ?? 0) / 60, seconds: plan.increment ?? 0 });
}

/** What an invitation says of a game: whether it is rated, and its clock, or that there is none where it could have one. */
export function invitationTerms(isRated: boolean, clock: unknown, isClocked: boolean): string[] {
  const plan = planOf(clock);
  return [
    ...(isRated ? [t('option.rated')] : []),
    ...(plan ? [planLine(plan)] : isClocked ? [t('people.tempo.untimed')] : []),
  ];
}

/** Whether the game is rated, and its pace. */
export function termsOf({
  isRated,
  onDevice,
  options,
}: {
  isRated: boolean;
  onDevice: boolean;
  options: { clock?: ClockPlan | null; imported?: true } | null;
}): string[] {
  return [
    ...(onDevice ? [t('status.device')] : []),
    ...(options?.imported ? [t('people.tempo.imported')] : []),
    ...(isRated ? [t('option.rated')] : []),
    ...(options?.clock ? [planLine(options.clock)] : []),
  ];
}

export function upLine({ up = 'lose' }: ClockPlan, players: number): string {
  return t(up === 'lose' && players > 2 ? 'clock.line.out' : `clock.line.${up}`);
}

/** Milliseconds between updates of a time. */
export function rate(left: number): number {
  return left <= SHORT + SECOND ? 100 : left < DAY ? 250 : MINUTE;
}

/** 4:05, 1:04:05, 9.4; days with hours. */
export function timeText(left: number, short = SHORT): string {
  const time = Math.max(0, left);
  if (time >= DAY) return `${unit(Math.floor(time / DAY), 'day')} ${unit(Math.floor((time % DAY) / HOUR), 'hour')}`;
  if (time < short)
    return new Intl.NumberFormat(spokenLanguage(), { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(
      Math.floor(time / 100) / 10,
    );
  const [hours, minutes, seconds] = [
    Math.floor(time / HOUR),
    Math.floor((time % HOUR) / MINUTE),
    Math.floor((time % MINUTE) / SECOND),
  ];
  const two = (value: number): string => String(value).padStart(2, '0');
  return fill(hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`);
}

function unit(value: number, name: 'day' | 'hour'): string {
  return new Intl.NumberFormat(spokenLanguage(), { style: 'unit', unit: name, unitDisplay: 'narrow' }).format(value);
}
