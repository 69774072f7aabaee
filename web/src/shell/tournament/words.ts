/** Tournaments in words. */
import { planLine } from '../clock';
import { entranceAtHand, titleOf } from '../games';
import { number, plural, t } from '../i18n.svelte';
import type { About, Listed } from './protocol';

/** What is played, and how. */
export function toldOf(one: Listed | About): string[] {
  return [
    titleOf(one.game),
    t(`tournament.form.${one.form}`),
    ...(one.form === 'tables' ? [plural('people.players', one.players)] : []),
    ...(one.clock ? [planLine(one.clock)] : []),
    ...(one.rated ? [t('people.rated')] : []),
    ...(entranceAtHand(one.game)?.told(one.options) ?? []),
  ];
}

/** Points as people write them: halves as a fraction. */
export function pointsText(points: number): string {
  const whole = Math.floor(points);
  if (points - whole !== 0.5) return number(points);
  return whole === 0 ? '½' : `${number(whole)}½`;
}

/** An entrant's name; of an account that is gone there is none. */
export const nameOf = (name: string | undefined): string => name || t('tournament.gone');
