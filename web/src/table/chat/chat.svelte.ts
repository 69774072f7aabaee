/** The chat of a table for one reader. Headless; it subscribes only if the reader wants to. */

import { tick } from 'svelte';
import type {
  ChatLine,
  ChatMessage,
  ChatOrder,
  ErrorMessage,
  PersonAt,
  Phrase,
  Seat,
  SeatInfo,
} from '../../net/protocol';
import { maybe, moment, t, timeOfDay } from '../../ui/i18n.svelte';
import { nameOf } from '../seats';

export interface ChatProblem {
  code: string;
  message: string;
  until: string | null;
}

/** What happened at the table while this page was open. after: the number of the message before it; 0: none. */
export interface Happening {
  after: number;
  at: string;
  text: string;
}
/** How many of them stay in memory. */
const HAPPENINGS = 50;

export class Chat {
  happenings = $state.raw<readonly Happening[]>([]);
  lines = $state.raw<readonly ChatLine[]>([]);
  room = $state<ChatLine['room']>('all');
  muted = $state.raw<readonly Seat[]>([]);
  hides = $state(0);
  silenced = $state<string | null>(null);
  problem = $state.raw<ChatProblem | null>(null);

  #allowed = $state(false);
  #wanted = $state(false);
  /** null: earlier messages don't count as unread. */
  #read = $state<number | null>(null);
  #reading = $state(false);
  #hears = false;
  #sent = new Set<string>();
  readonly #send: (order: ChatOrder) => string;

  readonly isOn: boolean = $derived(this.#allowed && this.#wanted);
  readonly unread: number = $derived(
    this.lines.filter(({ n, yours }) => !yours && n > (this.#read ?? Infinity)).length,
  );

  constructor(send: (order: ChatOrder) => string) {
    this.#send = send;
  }

  open(allowed: boolean): void {
    this.#allowed = allowed;
    this.#follow();
  }
  want(wanted: boolean): void {
    this.#wanted = wanted;
    this.#follow();
  }
  lost(): void {
    this.#hears = false;
  }
  reading(inSight: boolean): void {
    this.#reading = inSight;
    this.#note();
  }

  say(text: string): void {
    this.#ask({ type: 'say', text });
  }
  phrase(phrase: Phrase): void {
    this.#ask({ type: 'say', phrase });
  }
  mute(person: PersonAt, muted: boolean): void {
    this.#ask({ type: 'mute', ...person, muted });
  }
  unmute(): void {
    this.#ask({ type: 'mute', muted: false });
  }

  show({ lines, room, muted, hides, silenced }: ChatMessage): void {
    [this.lines, this.room, this.muted, this.hides, this.silenced] = [lines, room, muted, hides, silenced];
    this.#read ??= lines.at(-1)?.n ?? 0;
    this.#note();
  }
  /** Shows what happened between the messages. */
  note(text: string): void {
    const happening = { after: this.lines.at(-1)?.n ?? 0, at: new Date().toISOString(), text };
    this.happenings = [...this.happenings, happening].slice(-HAPPENINGS);
  }
  receive(line: ChatLine): void {
    this.lines = [...this.lines, line];
    this.#note();
  }
  /** Returns whether the error answers a message of the chat. */
  refused({ key, code, message, until }: ErrorMessage): boolean {
    if (key === undefined || !this.#sent.delete(key)) return false;
    this.problem = { code, message, until: until ?? null };
    this.silenced = until ?? this.silenced;
    return true;
  }

  #ask(order: ChatOrder): void {
    this.problem = null;
    this.#sent.add(this.#send(order));
  }
  #follow(): void {
    if (this.#allowed && this.#wanted !== this.#hears) {
      this.#hears = this.#wanted;
      this.#ask({ type: 'chat', on: this.#wanted });
    }
    if (!this.#wanted && this.lines.length > 0) this.lines = [];
  }
  #note(): void {
    if (this.#reading) this.#read = this.lines.at(-1)?.n ?? 0;
  }
}

export function speaker({ name, seat }: ChatLine, seats: readonly SeatInfo[]): string {
  return name || (seat === null ? t('chat.guest') : nameOf(seats, seat));
}

export function said({ text, phrase }: Pick<ChatLine, 'text' | 'phrase'>): string {
  return text ?? (phrase === undefined ? '' : (maybe(`chat.phrase.${phrase}`) ?? phrase));
}

/** Scrolls to the last message when there is another, unless the reader has scrolled up. */
export function lastInSight(list: () => HTMLElement | undefined, messages: () => unknown): void {
  $effect.pre(() => {
    messages();
    const shown = list();
    const low = !shown || shown.scrollHeight - shown.scrollTop - shown.clientHeight < 60;
    if (low) void tick().then(() => list()?.scrollTo(0, list()!.scrollHeight));
  });
}

export function lately(at: string, now = new Date()): string {
  const then = new Date(at);
  return then.toDateString() === now.toDateString() ? timeOfDay(at) : moment(at);
}

export function problemLine({ code, message, until }: ChatProblem): string {
  if (until !== null) return t('chat.silenced', { until: moment(until) });
  return maybe(`error.${code}`) ?? message;
}
