/** Where a lesson stands among those of its game. */
import type { LessonListed } from './api';

export interface Course {
  /** From 1. */
  number: number;
  of: number;
  /** The lesson after it; null: it is the last. */
  next: string | null;
}

export function courseOf(lessons: readonly LessonListed[], name: string): Course {
  const at = lessons.findIndex((lesson) => lesson.name === name);
  return { number: at + 1, of: lessons.length, next: lessons[at + 1]?.name ?? null };
}
