/** What the chat says, in the reader's language. */
import { maybe, spokenLanguage, t } from '../i18n.svelte';
import type { ChatLine, SeatInfo } from '../protocol';
import { nameOf } from '../seats';
import type { ChatProblem } from './chat.svelte';

/** Who said a line. */
export function speaker({ name, seat }: ChatLine, seats: readonly SeatInfo[]): string {
  return name || (seat === null ? t('chat.guest') : nameOf(seats, seat));
}

/** A phrase in the reader's language; everything else as it was written. */
export function said({ text, phrase }: Pick<ChatLine, 'text' | 'phrase'>): string {
  return text ?? (phrase === undefined ? '' : (maybe(`chat.phrase.${phrase}`) ?? phrase));
}

/** A moment, as the language writes it. */
export function moment(at: string): string {
  return new Intl.DateTimeFormat(spokenLanguage(), { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at));
}

/** The same, without the date where that is today's. */
export function lately(at: string, now = new Date()): string {
  const then = new Date(at);
  return then.toDateString() === now.toDateString() ? new Intl.DateTimeFormat(spokenLanguage(), { timeStyle: 'short' }).format(then) : moment(at);
}

export function problemLine({ code, message, until }: ChatProblem): string {
  if (until !== null) return t('chat.silenced', { until: moment(until) });
  return maybe(`error.${code}`) ?? message;
}
