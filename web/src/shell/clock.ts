/** The clocks of games that are played turn by turn: what may be chosen, and times in figures. */
import { fill, plural, spokenLanguage, t } from './i18n.svelte';

/** What comes of it when somebody's time is up. */
export const TIME_UP = ['lose', 'bot', 'pass'] as const;
export type TimeUp = (typeof TIME_UP)[number];

/** Seconds for the game and more with each turn, or days for each turn. */
export type ClockPlan = ({ base: number; increment: number } | { days: number }) & { up: TimeUp };

/** What a table tells of its clocks, where it has any. */
export interface Clocked {
  /** Milliseconds that each seat had left as this was told; null: it has no clock. */
  left?: readonly (number | null)[];
  /** The seats whose clocks run. */
  running?: readonly number[];
  /** The seats on vacation, whose clocks stand. */
  away?: readonly number[];
}

/** What is offered: minutes for the game and seconds with each turn, or days. */
const LIVE: readonly (readonly [minutes: number, seconds: number])[] = [
  [5, 10],
  [10, 15],
  [15, 30],
];
export const DAYS: readonly number[] = [1, 3, 7];
/** The clocks of minutes that are offered. `up`: what comes of it when somebody's time is up. */
export const livePlans = (up: TimeUp): ClockPlan[] => LIVE.map(([minutes, seconds]) => ({ base: minutes * 60, increment: seconds, up }));
/** All clocks that are offered. */
export const plans = (up: TimeUp): ClockPlan[] => [...livePlans(up), ...DAYS.map((days) => ({ days, up }))];
/** Seconds that a turn has to bring where it can be passed. */
export const LEAST_TO_GO_ON = 5;

/** Within what somebody may choose. */
export const LIMITS = { minutes: [0, 240], seconds: [0, 600], days: [1, 14] } as const;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** From here on tenths of a second count. */
const SHORT = 10 * SECOND;

/** A plan that was kept, if it still is one. */
export function planOf(kept: unknown): ClockPlan | null {
  const { base, increment, days, up } = (kept ?? {}) as Record<string, unknown>;
  const known = TIME_UP.find((word) => word === up);
  if (known === undefined) return null;
  if (typeof days === 'number') return { days, up: known };
  return typeof base === 'number' && typeof increment === 'number' ? { base, increment, up: known } : null;
}

/** What can come of it that time is up, with a clock like this. */
export function upsOf(plan: ClockPlan): readonly TimeUp[] {
  return TIME_UP.filter((up) => up !== 'pass' || 'days' in plan || plan.increment >= LEAST_TO_GO_ON);
}

/** A plan with a choice that it allows. */
export function allowed(plan: ClockPlan): ClockPlan {
  return upsOf(plan).includes(plan.up) ? plan : { ...plan, up: 'lose' };
}

/** A clock in words. */
export function planLine(plan: ClockPlan): string {
  if ('days' in plan) return plural('clock.days', plan.days);
  return t('clock.live', { minutes: plan.base / 60, seconds: plan.increment });
}

/** What comes of it that time is up, in words. */
export function upLine({ up }: ClockPlan, players: number): string {
  return t(up === 'lose' && players > 2 ? 'clock.line.out' : `clock.line.${up}`);
}

/** How often a time in figures changes, in milliseconds. */
export function rate(left: number): number {
  return left <= SHORT + SECOND ? 100 : left < DAY ? 250 : MINUTE;
}

/** A time in figures: 4:05, 1:04:05, 9.4; days with their hours. */
export function timeText(left: number): string {
  const time = Math.max(0, left);
  if (time >= DAY) return `${unit(Math.floor(time / DAY), 'day')} ${unit(Math.floor((time % DAY) / HOUR), 'hour')}`;
  if (time < SHORT) return new Intl.NumberFormat(spokenLanguage(), { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(Math.floor(time / 100) / 10);
  const [hours, minutes, seconds] = [Math.floor(time / HOUR), Math.floor((time % HOUR) / MINUTE), Math.floor((time % MINUTE) / SECOND)];
  const two = (value: number): string => String(value).padStart(2, '0');
  return fill(hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`);
}

function unit(value: number, name: 'day' | 'hour'): string {
  return new Intl.NumberFormat(spokenLanguage(), { style: 'unit', unit: name, unitDisplay: 'narrow' }).format(value);
}
