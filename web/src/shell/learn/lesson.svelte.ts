import { ask } from '../api';
import { spokenLanguage } from '../i18n.svelte';
import { FIRST } from '../languages';
import { SimulatedTable } from '../simulated.svelte';
import { noteLearned, type LessonAbout, type Played, type Result } from './lessons.svelte';

/** Replaced in tests. */
export interface Teacher {
  about(game: string, name: string): Promise<LessonAbout>;
  /** `of`: a piece whose routes are requested too. */
  play(game: string, name: string, decisions: readonly object[], of?: unknown): Promise<Played>;
}
const SERVER: Teacher = {
  about: (game, name) => ask(`/api/lessons/${game}/${name}`),
  play: (game, name, decisions, of) => ask(`/api/lessons/${game}/${name}`, { decisions, ...(of !== undefined && { of }) }),
};

export class Lesson extends SimulatedTable<object, Played> {
  readonly game: string;
  readonly name: string;
  about = $state.raw<LessonAbout | null>(null);
  result = $state<Result>('open');
  #comment = $state<string | null>(null);
  readonly #teacher: Teacher;

  constructor(game: string, name: string, teacher = SERVER) {
    super(name);
    [this.game, this.name, this.#teacher] = [game, name, teacher];
  }

  readonly marks = $derived(this.result === 'open' ? (this.about?.marks ?? []) : []);

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
  get comment(): string {
    return this.#comment === null ? '' : this.#words(this.#comment);
  }

  protected override async prepare(): Promise<void> {
    this.about ??= await this.#teacher.about(this.game, this.name);
  }
  protected override ask(decisions: readonly object[], of?: unknown): Promise<Played> {
    return this.#teacher.play(this.game, this.name, decisions, of);
  }
  protected override decisionOf({ action }: { action?: object }): object | null {
    return action ?? null;
  }
  protected override explained({ says }: Played): void {
    this.#comment = says;
  }
  /** A try that the lesson comments on is not carried out. */
  protected override accept({ says, result }: Played): boolean {
    this.#comment = says;
    if (says !== null) return false;
    this.result = result;
    if (result === 'reached') noteLearned(this.game, this.name);
    return true;
  }
}
