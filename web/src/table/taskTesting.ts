/** For tests: the lessons of a game, and what each of them is to do. */
import { expect, it } from 'vitest';
import type { Played, TaskChapter } from './tasks';

export interface AnyLesson<Action> extends TaskChapter {
  task: { solution: Action[]; tries: { action: Action; after?: number; says: string }[] };
}

const files = import.meta.glob<{ chapters: unknown[] }>('../../../src/ekoes/games/*/lessons/*.json', {
  eager: true,
  import: 'default',
});

/** As they are written. */
export function lessonsOf<Lesson>(game: string): Lesson[] {
  const own = Object.entries(files).filter(([path]) => path.includes(`/${game}/`));
  return own.flatMap(([, { chapters }]) => chapters as Lesson[]);
}

const isRule = (says: string): boolean => /^[A-Z]\d/.test(says);

export function testLesson<Action>(chapter: AnyLesson<Action>, play: (decisions: readonly Action[]) => Played): void {
  const { solution, tries } = chapter.task;

  it('is solved by its solution, and by nothing before', () => {
    const results = [...solution, null].map((_, count) => play(solution.slice(0, count)));
    expect(results.map(({ result, taken, says, refusal }) => [result, taken, says, refusal])).toEqual(
      results.map((_, count) => [count < solution.length ? 'open' : 'reached', count, null, null]),
    );
  });

  it.each(tries)('does not play the wrong try that $says answers', ({ action, after = 0, says }) => {
    const before = solution.slice(0, after);
    const played = play([...before, action]);
    expect([played.result, played.taken, played.table]).toEqual(['open', after, play(before).table]);
    if (isRule(says)) expect([played.refusal?.rule, played.says]).toEqual([says, null]);
    else expect([played.refusal, played.says?.['en']]).toEqual([null, chapter.words['en']?.[says]]);
  });
}
