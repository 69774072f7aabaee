/**
 * A lesson as its learner sees it. To the page of the game it is a table: what that sends is answered here, by the server, which
 * plays the lesson anew from all decisions each time. Nothing is kept but those decisions.
 */
import type { Socket, Surroundings } from '../connection';
import { following } from '../following';
import { spokenLanguage } from '../i18n.svelte';
import { FIRST } from '../languages';
import { surroundings } from '../live';
import { lessonOf, playLesson, type LessonAbout, type LessonTable, type Played, type Result } from './api';
import { noteLearned } from './progress.svelte';

/** What a table's page sends. */
interface Sent {
  type: string;
  key: string;
  action?: object;
  /** A piece whose ways are asked for. */
  of?: unknown;
}
/** How the server is asked, so that tests can stand in for it. */
export interface Teacher {
  about(game: string, name: string): Promise<LessonAbout>;
  play(game: string, name: string, decisions: readonly object[], of?: unknown): Promise<Played>;
}
const SERVER: Teacher = { about: lessonOf, play: playLesson };
const DOES: readonly string[] = ['act', 'intent'];

export class Lesson {
  readonly game: string;
  readonly name: string;
  about = $state.raw<LessonAbout | null>(null);
  result = $state<Result>('open');
  /** The decisions that were done. */
  decisions = $state.raw<readonly object[]>([]);
  /** Whether the server could not be asked. */
  lost = $state(false);
  #says = $state<string | null>(null);
  #shown: LessonTable | null = null;
  #socket: Socket | null = null;
  readonly #teacher: Teacher;

  constructor(game: string, name: string, teacher = SERVER) {
    [this.game, this.name, this.#teacher] = [game, name, teacher];
  }

  /** What is lit in the picture, until something was done. */
  readonly marks = $derived(this.result === 'open' ? (this.about?.marks ?? []) : []);

  /** The lesson's words in the reader's language. */
  #words(key: string): string {
    const words = this.about?.words;
    return (words?.[spokenLanguage()] ?? words?.[FIRST])?.[key] ?? '';
  }
  get title(): string {
    return this.#words('title');
  }
  get task(): string {
    return this.#words('task');
  }
  get done(): string {
    return this.#words('done');
  }
  /** What the lesson says of the latest try. */
  get says(): string {
    return this.#says === null ? '' : this.#words(this.#says);
  }

  /** Where the table of this lesson gets its line from. */
  get around(): Surroundings & { now(): number } {
    return { ...surroundings(this.name), open: () => this.#open() };
  }

  /** Begins anew. */
  again(): Promise<void> {
    return this.#play([]);
  }
  /** Takes the latest decision back, with what others answered. */
  back(): Promise<void> {
    return this.#play(this.decisions.slice(0, -1));
  }

  #open(): Socket {
    const socket: Socket = { onopen: null, onmessage: null, onclose: null, send: (text) => void this.#hear(JSON.parse(text) as Sent), close: () => (this.#socket = null) };
    this.#socket = socket;
    void this.#begin(socket);
    return socket;
  }

  async #begin(socket: Socket): Promise<void> {
    await this.#asked(async () => {
      this.about ??= await this.#teacher.about(this.game, this.name);
      socket.onopen?.();
      await this.#play([]);
    });
  }

  async #hear({ type, key, action, of }: Sent): Promise<void> {
    if (type === 'ways') return this.#waysOf(key, of);
    if (type === 'undo') await this.back();
    else if (type === 'why' && action) return this.#explain(key, action);
    else if (DOES.includes(type) && action) return this.#try(key, action);
    this.#tell({ type: 'ack', key, version: this.#shown?.version ?? 0 });
  }

  /** Does something, or says why it is not done. */
  #try(key: string, action: object): Promise<void> {
    return this.#asked(async () => {
      const decisions = [...this.decisions, action];
      const played = await this.#teacher.play(this.game, this.name, decisions);
      if (played.refusal) return this.#tell({ type: 'error', key, ...played.refusal });
      if (played.says === null) this.#show(played, decisions);
      this.#says = played.says;
      this.#tell({ type: 'ack', key, version: played.table.version });
    });
  }

  /** Asks why something can't be done, and does nothing. */
  #explain(key: string, action: object): Promise<void> {
    return this.#asked(async () => {
      const { refusal, says } = await this.#teacher.play(this.game, this.name, [...this.decisions, action]);
      this.#says = says;
      this.#tell({ type: 'why', key, refusal: refusal && { code: refusal.refusal ?? refusal.code, rule: refusal.rule ?? null, message: refusal.message } });
    });
  }

  /** Tells where a piece can go. */
  #waysOf(key: string, of: unknown): Promise<void> {
    return this.#asked(async () => {
      const { ways, table } = await this.#teacher.play(this.game, this.name, this.decisions, of);
      this.#tell({ type: 'ways', key, version: table.version, ways });
    });
  }

  #play(decisions: readonly object[]): Promise<void> {
    return this.#asked(async () => {
      this.#says = null;
      this.#shown = null;
      this.#show(await this.#teacher.play(this.game, this.name, decisions), decisions);
    });
  }

  async #asked(what: () => Promise<void>): Promise<void> {
    try {
      await what();
      this.lost = false;
    } catch {
      this.lost = true;
    }
  }

  /** Shows the table: what has just happened as an update, so that it is seen to move. */
  #show({ table: told, result }: Played, decisions: readonly object[]): void {
    // nobody is away from a table that is for one alone
    const table = { ...told, seats: told.seats.map((seat) => ({ ...seat, online: true })) };
    const before = this.#shown;
    [this.#shown, this.decisions, this.result] = [table, decisions, result];
    if (before === null) this.#tell(table);
    else {
      this.#tell(following(before, table));
    }
    if (result === 'reached') noteLearned(this.game, this.name);
  }

  #tell(message: object): void {
    this.#socket?.onmessage?.({ data: JSON.stringify(message) });
  }
}
