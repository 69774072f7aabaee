/** Tasks of chapters, played by the rules of a game in this page (docs/reference/studies.md). */

import type { Failure, Seat, Tried } from '../net/protocol';
import type { ChapterInfo } from '../protocol/messages';
import type { InEach } from '../ui/i18n.svelte';

/** A chapter with a task, as it is written. */
export interface TaskChapter extends Pick<ChapterInfo, 'name' | 'words'> {
  position?: object | undefined;
  record?: string | undefined;
  task?: object | undefined;
}
/** A move of another player, right before or after a decision of the reader, counted from 1. clock: the clock decides. */
export interface Answer<Action> {
  readonly seat?: Seat;
  readonly action?: Action;
  readonly clock?: boolean;
  readonly before?: number;
  readonly after?: number;
}
/** A wrong try. says: the key of its reply, or the number of the rule that refuses it. */
interface Try {
  readonly action: object;
  readonly says: string;
}
/** The task of a chapter as it is written; of a record there is only the seat. */
export interface TaskForm<Goal, Action> {
  readonly seat?: Seat;
  readonly options?: object;
  readonly goal?: Goal;
  readonly allowed?: readonly object[];
  readonly tries?: readonly Try[];
  readonly answers?: readonly Answer<Action>[];
}

/** A task after decisions. taken: how many. says: the reply to the last one, which was not played. */
export interface Played extends Tried {
  readonly result: 'open' | 'reached' | 'missed';
  readonly taken: number;
  readonly says: InEach<string> | null;
}

/** What a task asks, where it begins, and how its game goes on. taken: how many decisions the reader has made. */
export interface Asked<State, Action> {
  readonly start: State;
  readonly seat: Seat;
  readonly answers: readonly Answer<Action>[];
  /** Whether the reader may still decide. */
  isOpen(state: State): boolean;
  isReached(state: State, taken: number): boolean;
  /** What is replied to the n-th decision, from 1, which is then not played. */
  reply(n: number, action: Action): InEach<string> | null;
  /** Throws what `refusal` explains. */
  step(state: State, seat: Seat, action: Action): State;
  /** Throws if no clock runs. */
  timeOut(state: State): State;
  refusal(state: State, action: Action, error: unknown): Failure;
  table(state: State): Tried['table'];
}

const OTHER = 'other';

/** Plays a task by the reader's decisions, the last of which may be illegal. */
export function player<State, Action>(asked: Asked<State, Action>): (decisions: readonly Action[]) => Played {
  const { seat, answers } = asked;
  const played = (state: State, taken: number, more: { says?: InEach<string>; refusal?: Failure } = {}): Played => {
    const result = asked.isReached(state, taken) ? 'reached' : asked.isOpen(state) ? 'open' : 'missed';
    return { result, taken, says: more.says ?? null, refusal: more.refusal ?? null, table: asked.table(state) };
  };
  const answered = (state: State, { seat: other = 1, action, clock }: Answer<Action>): State =>
    clock || !action ? asked.timeOut(state) : asked.step(state, other, action);
  /** After a decision of the reader and the moves of the others. */
  const decided = (before: State, n: number, action: Action): State => {
    const begun = answers.filter((one) => one.before === n).reduce(answered, before);
    let state = asked.step(begun, seat, action);
    if (asked.isReached(state, n)) return state;
    try {
      for (const one of answers.filter(({ after }) => after === n)) state = answered(state, one);
    } catch {
      // the reader went another way, to which the task knows no answer
    }
    return state;
  };

  return (decisions) => {
    let state = asked.start;
    for (const [taken, action] of decisions.entries()) {
      if (played(state, taken).result !== 'open') throw new RangeError('this task is over');
      let after: State;
      try {
        after = decided(state, taken + 1, action);
      } catch (error) {
        if (taken < decisions.length - 1) throw error;
        return played(state, taken, { refusal: asked.refusal(state, action, error) });
      }
      const says = asked.reply(taken + 1, action);
      if (says) return played(state, taken, { says });
      state = after;
    }
    return played(state, decisions.length);
  };
}

/** A text of a chapter in the languages that have it. */
export function textsOf({ words }: Pick<TaskChapter, 'words'>, key: string = OTHER): InEach<string> {
  return Object.fromEntries(
    Object.entries(words).flatMap(([tag, texts]) => (texts?.[key] === undefined ? [] : [[tag, texts[key]]])),
  );
}

/** The chapter's own reply to a decision that its task does not allow. */
export function replyTo(
  chapter: Pick<TaskChapter, 'words'> & { readonly task?: TaskForm<unknown, unknown> | undefined },
  action: object,
): InEach<string> | null {
  const { allowed = [], tries = [] } = chapter.task ?? {};
  if (allowed.length > 0 && !allowed.some((pattern) => fits(pattern, action))) return textsOf(chapter);
  // those that begin with a capital are the rules'
  const own = tries.find(
    ({ says, action: tried }) => says === says.toLowerCase() && says !== OTHER && fits(tried, action),
  );
  return own ? textsOf(chapter, own.says) : null;
}

/** Whether an action has all keys and values of a pattern. */
function fits(pattern: object, action: object): boolean {
  return Object.entries(pattern).every(
    ([key, value]) => JSON.stringify((action as Record<string, unknown>)[key]) === JSON.stringify(value),
  );
}

/** Whether a seat has done something so often. did: what each entry of the log is called. */
export function hasDone(
  wanted: Readonly<Record<string, number>>,
  log: readonly { readonly seat: Seat; readonly did: string }[],
  seat: Seat,
): boolean {
  const own = log.filter((one) => one.seat === seat);
  return Object.entries(wanted).every(([word, times]) => own.filter(({ did }) => did === word).length >= times);
}
