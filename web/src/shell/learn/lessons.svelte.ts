import type { LessonInfo } from '../../protocol/messages';
import { store, stored } from '../settings.svelte';
import type { Course } from '../study/task.svelte';

export function courseOf(game: string, lessons: readonly LessonInfo[], name: string): Course {
  const at = lessons.findIndex((lesson) => lesson.name === name);
  const next = lessons[at + 1]?.name;
  return { kind: 'learn', number: at + 1, of: lessons.length, all: `/${game}/learn`, next: next === undefined ? null : `/${game}/learn/${next}` };
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
