/** What is said at a table, as one reader hears it. Headless; it hears nothing unless the reader wants to. */
import type { ChatIntent, ChatLine, ChatRoom, ChatShown, Failure, Seat, Somebody } from '../protocol';

/** Why a line was not said. */
export interface ChatProblem {
  code: string;
  message: string;
  until: string | null;
}

export class Chat {
  lines = $state.raw<readonly ChatLine[]>([]);
  /** Who reads what is written now. */
  room = $state<ChatRoom>('all');
  muted = $state.raw<readonly Seat[]>([]);
  /** How many people this reader hides. */
  hides = $state(0);
  /** Until when this reader may say nothing. */
  silenced = $state<string | null>(null);
  problem = $state.raw<ChatProblem | null>(null);
  /** The line that came last while somebody listened, for those who hear it. */
  news = $state.raw<ChatLine | null>(null);

  #allowed = $state(false);
  #wanted = $state(false);
  /** The last line that was read; null: what was said before is no news. */
  #read = $state<number | null>(null);
  #reading = $state(false);
  #hears = false;
  /** What this page sent and the server has not answered. */
  #sent = new Set<string>();
  readonly #send: (intent: ChatIntent) => string;

  /** The table allows it, and the reader wants it. */
  readonly isOn: boolean = $derived(this.#allowed && this.#wanted);
  readonly unread: number = $derived(this.lines.filter(({ n, yours }) => !yours && n > (this.#read ?? Infinity)).length);

  constructor(send: (intent: ChatIntent) => string) {
    this.#send = send;
  }

  /** The table is shown. `allowed`: people may talk there. */
  open(allowed: boolean): void {
    this.#allowed = allowed;
    this.#follow();
  }
  /** The reader wants to hear what is said, or does not. */
  want(wanted: boolean): void {
    this.#wanted = wanted;
    this.#follow();
  }
  /** The line is lost: on the next one it has to be asked for anew. */
  lost(): void {
    this.#hears = false;
  }
  /** The lines are in sight, or not any more. */
  reading(inSight: boolean): void {
    this.#reading = inSight;
    this.#note();
  }

  say(text: string): void {
    this.#ask({ type: 'say', text });
  }
  phrase(phrase: string): void {
    this.#ask({ type: 'say', phrase });
  }
  mute(person: Somebody, muted: boolean): void {
    this.#ask({ type: 'mute', ...person, muted });
  }
  /** Hears everybody here again. */
  unmute(): void {
    this.#ask({ type: 'mute', muted: false });
  }

  show({ lines, room, muted, hides, silenced }: ChatShown): void {
    [this.lines, this.room, this.muted, this.hides, this.silenced] = [lines, room, muted, hides, silenced];
    this.#read ??= lines.at(-1)?.n ?? 0;
    this.#note();
  }
  hear(line: ChatLine): void {
    this.lines = [...this.lines, line];
    if (!line.yours) this.news = line;
    this.#note();
  }
  /** Takes a refusal if it answers something of the chat. */
  refused({ key, code, message, until }: Failure): boolean {
    if (key === undefined || !this.#sent.delete(key)) return false;
    this.problem = { code, message, until: until ?? null };
    this.silenced = until ?? this.silenced;
    return true;
  }

  #ask(intent: ChatIntent): void {
    this.problem = null;
    this.#sent.add(this.#send(intent));
  }
  #follow(): void {
    if (this.#allowed && this.#wanted !== this.#hears) {
      this.#hears = this.#wanted;
      this.#ask({ type: 'chat', on: this.#wanted });
    }
    if (!this.#wanted && this.lines.length > 0) [this.lines, this.news] = [[], null];
  }
  #note(): void {
    if (this.#reading) this.#read = this.lines.at(-1)?.n ?? 0;
  }
}
