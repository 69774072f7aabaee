/** The task of a chapter, a lesson or one of a study: the server plays it by the reader's decisions so far. */
import { spoken, type InEach } from '../i18n.svelte';
import { SimulatedTable, type Answer } from '../simulated.svelte';

/** `words`: by language and key. */
export interface TaskAbout {
  marks: (string | number)[];
  seat: number;
  words: InEach<Record<string, string>>;
}
export type Result = 'open' | 'reached' | 'missed';
export interface Played extends Answer {
  result: Result;
  /** How many decisions were accepted: all, or all but the latest. */
  taken: number;
  /** The reply to a decision that was not accepted. */
  says: InEach<string> | null;
}
/** Where a task comes from. */
export interface Teacher {
  about(): Promise<TaskAbout>;
  /** `of`: a piece whose routes are requested too. */
  play(decisions: readonly object[], of?: unknown): Promise<Played>;
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

export class Task extends SimulatedTable<object, Played> {
  readonly game: string;
  readonly name: string;
  about = $state.raw<TaskAbout | null>(null);
  result = $state<Result>('open');
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
  protected override ask(decisions: readonly object[], of?: unknown): Promise<Played> {
    return this.#teacher.play(decisions, of);
  }
  protected override decisionOf({ action }: { action?: object }): object | null {
    return action ?? null;
  }
  protected override explained({ says }: Played): void {
    this.says = says;
  }
  /** A try that has a reply is not carried out. */
  protected override accept({ says, result }: Played): boolean {
    this.says = says;
    if (says !== null) return false;
    this.result = result;
    if (result === 'reached') this.#teacher.reached?.();
    return true;
  }
}
