/** A study of a user: its title and chapters, as they are read and changed. */

import { ask } from '../../net/api';
import type { Seat } from '../../net/protocol';
import { Request } from '../../net/request.svelte';
import type { ChapterCreated, ChapterInfo, StudyCreated, StudyInfo, StudyList } from '../../protocol/messages';
import { begin } from '../../table/analysis/begin';
import { type InEach, spokenIn, spokenLanguage } from '../../ui/i18n.svelte';
import { type Course, Task } from './task.svelte';

/** `task`: of a chapter with one, the seat of its reader. */
export type Chapter = Omit<ChapterInfo, 'task'> & { task?: { seat?: Seat } | undefined };

type Words = InEach<Readonly<Record<string, string>>>;

/** Those of this browser's user, and samples of ours. */
export async function studiesOf(game: string): Promise<StudyList> {
  const { studies, samples } = await ask<StudyList>('/api/studies');
  return {
    studies: studies.filter((study) => study.game === game),
    samples: samples.filter((study) => study.game === game),
  };
}

/** New words in the reader's language. */
export const newWords = (title: string): Words => ({ [spokenLanguage()]: { title } });

/** Words with another text in the language that is shown; an empty text is removed. */
function changed(words: Words, key: string, text: string): Words {
  const tag = spokenIn(words) ?? spokenLanguage();
  const { [key]: _, ...rest } = words[tag] ?? {};
  return { ...words, [tag]: text.trim() ? { ...rest, [key]: text } : rest };
}

/** A text in the language that is shown, and the language. */
export function textOf(words: Words, key: string): { text: string; lang: string | undefined } {
  const lang = spokenIn(words);
  return { text: (lang && words[lang]?.[key]) ?? '', lang };
}

export class Study {
  readonly id: string;
  readonly game: string;
  readonly by: string | null;
  readonly yours: boolean;
  words = $state.raw<Words>({});
  chapters = $state.raw<readonly Chapter[]>([]);
  readonly request = new Request();
  /** Requests go one after the other, so that the server has the latest state in the end. */
  #latest: Promise<unknown> = Promise.resolve();

  constructor({
    id,
    game,
    by,
    yours,
    words,
    chapters,
  }: Omit<StudyInfo, 'changed' | 'chapters'> & { chapters: Chapter[] }) {
    [this.id, this.game, this.by, this.yours] = [id, game, by, yours];
    [this.words, this.chapters] = [words, chapters];
  }

  readonly title = $derived(textOf(this.words, 'title').text);
  get address(): string {
    return `/${this.game}/study/${this.id}`;
  }
  /** `reads`: as its readers see it, which matters to the owner. */
  addressOf(name: string, reads = false): string {
    return `${this.address}/${name}${reads && this.yours ? '/read' : ''}`;
  }
  /** The place of a chapter among the others. */
  courseOf(name: string, reads: boolean): Course {
    const at = this.chapters.findIndex((chapter) => chapter.name === name);
    const next = this.chapters[at + 1];
    return {
      kind: 'study',
      number: at + 1,
      of: this.chapters.length,
      all: this.address,
      next: next ? this.addressOf(next.name, reads) : null,
    };
  }
  /** The record of a chapter's game, or of one that starts with its position. */
  async recordOf({ record, position }: Chapter): Promise<string> {
    return record ?? (await begin(this.game, { position: position! })).record;
  }
  taskOf({ name, marks = [], ...chapter }: Chapter): Task {
    return new Task(this.game, name, {
      about: { ...chapter, marks, seat: chapter.task?.seat ?? 0 },
    });
  }

  get #path(): string {
    return `/api/studies/${this.id}`;
  }
  #send(request: () => Promise<unknown>): Promise<boolean> {
    const sent = this.#latest.then(() => this.request.run(request));
    this.#latest = sent;
    return sent;
  }
  #plan(): Promise<boolean> {
    return this.#send(() =>
      ask(this.#path, { words: this.words, order: this.chapters.map(({ name }) => name) }, 'PUT'),
    );
  }
  rename(title: string): Promise<boolean> {
    if (title.trim()) this.words = changed(this.words, 'title', title);
    return this.#plan();
  }
  /** Moves a chapter by so many places. */
  move(name: string, step: -1 | 1): Promise<boolean> {
    const chapters = [...this.chapters];
    const at = chapters.findIndex((chapter) => chapter.name === name);
    const [moved] = chapters.splice(at, 1);
    chapters.splice(at + step, 0, moved!);
    this.chapters = chapters;
    return this.#plan();
  }
  write(name: string, key: 'title' | 'text' | 'done', text: string): Promise<boolean> {
    const chapter = this.chapters.find((one) => one.name === name);
    return chapter && (key !== 'title' || text.trim())
      ? this.change(name, { words: changed(chapter.words, key, text) })
      : Promise.resolve(false);
  }
  change(name: string, change: Partial<Chapter>): Promise<boolean> {
    this.chapters = this.chapters.map((chapter) => (chapter.name === name ? { ...chapter, ...change } : chapter));
    return this.#send(async () => {
      const chapter = this.chapters.find((one) => one.name === name);
      if (chapter) await ask(`${this.#path}/chapters/${name}`, chapter, 'PUT');
    });
  }
  /** Adds a chapter that starts like another one. */
  add(like: Chapter, title: string): Promise<boolean> {
    return this.#send(async () => {
      const { record } = await begin(this.game, { record: await this.recordOf(like), after: 0 });
      const words = newWords(title);
      const { name } = await addChapter(this.id, record, words);
      this.chapters = [...this.chapters, { name, record, words }];
    });
  }
  remove(name: string): Promise<boolean> {
    return this.#send(async () => {
      await ask(`${this.#path}/chapters/${name}`, undefined, 'DELETE');
      this.chapters = this.chapters.filter((chapter) => chapter.name !== name);
    });
  }
  delete(): Promise<boolean> {
    return this.#send(() => ask(this.#path, undefined, 'DELETE'));
  }
}

export const loadStudy = async (id: string): Promise<Study> => new Study(await ask(`/api/studies/${id}`));

const addChapter = (id: string, record: string, words: Words): Promise<ChapterCreated> =>
  ask(`/api/studies/${id}/chapters`, { record, words });

/** Adds a record to a study as a new chapter, or makes a study of it (`id`: null); returns the address. */
export async function addRecord(
  game: string,
  id: string | null,
  title: string,
  chapter: string,
  record: string,
): Promise<string> {
  const words = newWords(chapter);
  if (id !== null) return (await addChapter(id, record, words)).url;
  const made = await ask<StudyCreated>('/api/studies', { game, words: newWords(title), chapter: { record, words } });
  return `${made.url}/${made.chapter}`;
}
