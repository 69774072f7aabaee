import { ask } from '../api';
import { Task } from '../study/task.svelte';
import { noteLearned } from './lessons.svelte';

export function lessonOf(game: string, name: string): Task {
  const address = `/api/lessons/${game}/${name}`;
  return new Task(game, name, {
    about: () => ask(address),
    play: (decisions, of) => ask(address, { decisions, ...(of !== undefined && { of }) }),
    reached: () => noteLearned(game, name),
  });
}
