/** Lessons, as the server tells and plays them. */
import { ask } from '../api';
import type { AnyTable } from '../following';
import type { Failure } from '../protocol';

/** A text in each language of the page. */
type InEach<T> = Record<string, T>;

/** A lesson in the list of a game. */
export interface LessonListed {
  name: string;
  chapter: string;
  title: InEach<string>;
}
/** What a lesson says, and what is lit in its picture. */
export interface LessonAbout extends LessonListed {
  marks: (string | number)[];
  seat: number;
  words: InEach<Record<string, string>>;
}
export type Result = 'open' | 'reached' | 'missed';
/** Where a lesson stands after some decisions. */
export interface Played {
  result: Result;
  /** How many decisions were done: all, or all but the latest. */
  taken: number;
  /** The key of the lesson's words on the latest one, which was not done. */
  says: string | null;
  /** Why the rules refuse the latest one. */
  refusal: Omit<Failure, 'type' | 'key'> | null;
  table: LessonTable;
  /** The ways of a piece, where they were asked for. */
  ways?: unknown;
}
export type LessonTable = AnyTable;

export const lessonsOf = (game: string): Promise<LessonListed[]> => ask(`/api/lessons/${game}`);
export const lessonOf = (game: string, name: string): Promise<LessonAbout> => ask(`/api/lessons/${game}/${name}`);
/** `of`: a piece whose ways are asked for besides. */
export const playLesson = (game: string, name: string, decisions: readonly object[], of?: unknown): Promise<Played> =>
  ask(`/api/lessons/${game}/${name}`, { decisions, ...(of !== undefined && { of }) });
