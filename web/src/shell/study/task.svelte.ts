/** The task of a chapter, a lesson or one of a study: the server plays it by the reader's decisions so far. */
import type { LessonText, TaskPlayed } from '../../protocol/messages';
import { spoken, type InEach } from '../i18n.svelte';
import { SimulatedTable } from '../simulated.svelte';

type TaskAbout = Pick<LessonText, 'marks' | 'seat' | 'words'>;
/** Where a task comes from. */
export interface Teacher {
  about(): Promise<TaskAbout>;
  /** `of`: a piece whose routes are requested too. */
  play(decisions: readonly object[], of?: unknown): Promise<TaskPlayed>;
  reached?(): void;
}
/** The place of a task among others. `all`, `next`: addresses; no `next`: it is the last one. */
export interface Course {
  kind: 'learn' | 'study';
  number: number;
  of: number;
  all: string;
  next: string | null;
}

export class Task extends SimulatedTable<object, TaskPlayed> {
  readonly game: string;
  readonly name: string;
  about = $state.raw<TaskAbout | null>(null);
  result = $state<TaskPlayed['result']>('open');
  /** The reply to the latest decision, which was not carried out; null: it was. */
  says = $state.raw<InEach<string> | null>(null);
  readonly #teacher: Teacher;

  constructor(game: string, name: string, teacher: Teacher) {
    super(name);
    [this.game, this.name, this.#teacher] = [game, name, teacher];
  }

  readonly marks = $derived(this.result === 'open' ? (this.about?.marks ?? []) : []);

  #words(key: string): string {
    return spoken(this.about?.words ?? {})?.[key] ?? '';
  }
  get title(): string {
    return this.#words('title');
  }
  get text(): string {
    return this.#words('text');
  }
  get done(): string {
    return this.#words('done');
  }

  protected override async prepare(): Promise<void> {
    this.about ??= await this.#teacher.about();
  }
  protected override ask(decisions: readonly object[], of?: unknown): Promise<TaskPlayed> {
    return this.#teacher.play(decisions, of);
  }
  protected override decisionOf({ action }: { action?: object }): object | null {
    return action ?? null;
  }
  protected override explained({ says }: TaskPlayed): void {
    this.says = says;
  }
  /** A try that has a reply is not carried out. */
  protected override accept({ says, result }: TaskPlayed): boolean {
    this.says = says;
    if (says !== null) return false;
    this.result = result;
    if (result === 'reached') this.#teacher.reached?.();
    return true;
  }
}
