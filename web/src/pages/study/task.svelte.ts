/** The task of a chapter, a lesson or one of a study: the game's rules play it in the page, by the reader's decisions so far. */

import { ask } from '../../net/api';
import type { LessonText } from '../../protocol/messages';
import { entryOf } from '../../table/games';
import { Exercise } from '../../table/localTable.svelte';
import type { Played, TaskChapter } from '../../table/tasks';
import { type InEach, spoken } from '../../ui/i18n.svelte';

type TaskAbout = Pick<LessonText, 'marks' | 'seat' | 'words'> & Omit<TaskChapter, 'name' | 'words'>;
/** Where a task comes from: an address that says what it is about, where that is not known. */
export interface TaskSource {
  about: TaskAbout | string;
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

export class Task extends Exercise<Played> {
  readonly name: string;
  about = $state.raw<TaskAbout | null>(null);
  result = $state<Played['result']>('open');
  /** The reply to the latest decision, which was not carried out; null: it was. */
  says = $state.raw<InEach<string> | null>(null);
  readonly #source: TaskSource;
  #play: ((decisions: readonly never[]) => Played) | null = null;

  constructor(game: string, name: string, source: TaskSource) {
    super(game);
    [this.name, this.#source] = [name, source];
  }

  readonly open = $derived(this.result === 'open');
  readonly marks = $derived(this.open ? (this.about?.marks ?? []) : []);
  get data(): Exercise['data'] {
    return { 'data-lesson': this.name, 'data-result': this.result };
  }

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
    const { about } = this.#source;
    this.about ??= typeof about === 'string' ? await ask<TaskAbout>(about) : about;
    const rules = await entryOf(this.game)!.task!();
    this.#play ??= rules.taskOf({ name: this.name, ...this.about });
  }
  protected override ask(decisions: readonly object[]): Played {
    return this.#play!(decisions as never[]);
  }
  /** What the rules refuse may have a reply too. */
  override tried(action: object): void {
    this.says = this.#play?.([...this.decisions, action] as never[]).says ?? null;
  }
  /** A try that has a reply is not carried out. */
  protected override accept({ says, result }: Played): boolean {
    this.says = says;
    if (says !== null) return false;
    this.result = result;
    if (result === 'reached') this.#source.reached?.();
    return true;
  }
}
