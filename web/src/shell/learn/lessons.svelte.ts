import { store, stored } from '../settings.svelte';
import type { Answer } from '../simulated.svelte';

type InEach<T> = Record<string, T>;

export interface LessonListed {
  name: string;
  chapter: string;
  title: InEach<string>;
}
export interface LessonAbout extends LessonListed {
  marks: (string | number)[];
  seat: number;
  words: InEach<Record<string, string>>;
}
export type Result = 'open' | 'reached' | 'missed';
export interface Played extends Answer {
  result: Result;
  /** How many decisions were accepted: all, or all but the latest. */
  taken: number;
  /** The key of the lesson's comment on a decision that was not accepted. */
  says: string | null;
}

export interface Course {
  number: number;
  of: number;
  next: string | null;
}

export function courseOf(lessons: readonly LessonListed[], name: string): Course {
  const at = lessons.findIndex((lesson) => lesson.name === name);
  return { number: at + 1, of: lessons.length, next: lessons[at + 1]?.name ?? null };
}

const KEY = 'ekoes.learned';

const learned = $state<Record<string, string[]>>(stored(KEY, {}));

export function learnedOf(game: string): readonly string[] {
  return learned[game] ?? [];
}

export function noteLearned(game: string, name: string): void {
  if (learnedOf(game).includes(name)) return;
  learned[game] = [...learnedOf(game), name];
  store(KEY, learned);
}
