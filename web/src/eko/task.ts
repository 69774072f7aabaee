/** Tasks of Ekö, in lessons and chapters of studies, judged by the engine of this page (docs/reference/studies.md). */

import type { Action, Kind, Space } from '../engine/eko/action';
import { EkoPlace, ekoBook } from '../engine/eko/book';
import type { Effect, PositionJson } from '../engine/eko/position';
import { mainLine, readRecord } from '../engine/record';
import type { Seat, Tried } from '../net/protocol';
import type { Failure } from '../protocol/messages';
import { type Step as AnyStep, refusalOf, seatsOf } from '../table/line';
import type { InEach } from '../ui/i18n.svelte';
import { engine } from './engine';
import { step, tableAfter } from './local';

type Step = AnyStep<EkoPlace>;

/** What is to be reached, all of it. did: how often each effect. */
interface Goal {
  readonly stack?: { readonly at: Space; readonly height: number };
  readonly building?: { readonly at: Space; readonly kind: Kind };
  readonly captive?: Seat;
  readonly emperor?: 'board' | 'reserve';
  readonly points?: number;
  readonly won?: true;
  readonly did?: { readonly [effect in Effect]?: number };
}
/** A move of another player, right before or after a decision of the reader, counted from 1. */
interface Answer {
  readonly seat?: Seat;
  readonly action?: Action;
  readonly before?: number;
  readonly after?: number;
}
/** A wrong try. says: the key of its reply, or the number of the rule that refuses it. */
interface Try {
  readonly action: object;
  readonly says: string;
}
/** The task of a chapter as it is written; of a record there is only the seat. */
interface TaskForm {
  readonly seat?: Seat;
  readonly goal?: Goal;
  readonly allowed?: readonly object[];
  readonly tries?: readonly Try[];
  readonly answers?: readonly Answer[];
}
export interface Chapter {
  readonly name: string;
  readonly position?: object | undefined;
  readonly record?: string | undefined;
  readonly task?: TaskForm | undefined;
  readonly words: InEach<Readonly<Record<string, string>>>;
}

/** A task after decisions. taken: how many. says: the reply to the last one, which was not played. */
export interface Played extends Tried {
  readonly result: 'open' | 'reached' | 'missed';
  readonly taken: number;
  readonly says: InEach<string> | null;
}

/** What is asked: where it begins, when it is reached, and what is replied to the n-th decision, from 1. */
interface Asked {
  readonly start: EkoPlace;
  readonly seat: Seat;
  readonly answers: readonly Answer[];
  isReached(steps: readonly Step[], place: EkoPlace, taken: number): boolean;
  reply(n: number, action: Action): InEach<string> | null;
}

const OTHER = 'other';

/** Reads a task, and plays it by the reader's decisions, the last of which may be illegal. */
export function taskOf(chapter: Chapter): (decisions: readonly Action[]) => Played {
  const asked = chapter.record === undefined ? ofPosition(chapter) : ofRecord(chapter, chapter.record);
  const { start, seat, answers } = asked;
  const about = {
    id: chapter.name,
    seats: seatsOf(start.position.players, [], seat),
    options: { players: start.position.players, variants: [], setup: 'standard' },
  };
  const last = (steps: readonly Step[]): EkoPlace => steps.at(-1)?.place ?? start;

  const told = (
    steps: readonly Step[],
    taken: number,
    more: { says?: InEach<string>; refusal?: Failure } = {},
  ): Played => {
    const place = last(steps);
    const isOpen = !place.result && place.actors.includes(seat);
    const result = asked.isReached(steps, place, taken) ? 'reached' : isOpen ? 'open' : 'missed';
    const table = tableAfter({ start, steps }, about) as unknown as Tried['table'];
    return { result, taken, says: more.says ?? null, refusal: more.refusal ?? null, table };
  };
  const answered = (steps: readonly Step[], { seat: other = 1, action }: Answer): Step[] => {
    if (!action) throw new RangeError('no clock runs');
    return [...steps, step(last(steps), other, action)];
  };
  /** After a decision of the reader and the moves of the others. */
  const decided = (before: readonly Step[], n: number, action: Action): Step[] => {
    const begun = answers.filter((one) => one.before === n).reduce<readonly Step[]>(answered, before);
    let steps = [...begun, step(last(begun), seat, action)];
    if (asked.isReached(steps, last(steps), n)) return steps;
    try {
      for (const one of answers.filter(({ after }) => after === n)) steps = answered(steps, one);
    } catch {
      // the reader went another way, to which the task knows no answer
    }
    return steps;
  };

  return (decisions) => {
    let steps: Step[] = [];
    for (const [taken, action] of decisions.entries()) {
      if (told(steps, taken).result !== 'open') throw new RangeError('this task is over');
      let after: Step[];
      try {
        after = decided(steps, taken + 1, action);
      } catch (error) {
        if (taken < decisions.length - 1) throw error;
        return told(steps, taken, { refusal: refusalOf(last(steps), seat, action, error) });
      }
      const says = asked.reply(taken + 1, action);
      if (says) return told(steps, taken, { says });
      steps = after;
    }
    return told(steps, decisions.length);
  };
}

/** A text of a chapter in the languages that have it. */
function textsOf({ words }: Chapter, key: string): InEach<string> {
  return Object.fromEntries(
    Object.entries(words).flatMap(([tag, texts]) => (texts?.[key] === undefined ? [] : [[tag, texts[key]]])),
  );
}

/** Whether an action has all keys and values of a pattern. */
function fits(pattern: object, action: object): boolean {
  return Object.entries(pattern).every(
    ([key, value]) => JSON.stringify((action as Record<string, unknown>)[key]) === JSON.stringify(value),
  );
}

function ofPosition(chapter: Chapter): Asked {
  const { seat = 0, goal = {}, allowed = [], tries = [], answers = [] } = chapter.task ?? {};
  return {
    start: EkoPlace.at(engine().position(chapter.position as PositionJson)),
    seat,
    answers,
    isReached: (steps, place) => isReached(goal, place, seat, steps),
    reply: (_, action) => {
      if (allowed.length > 0 && !allowed.some((pattern) => fits(pattern, action))) return textsOf(chapter, OTHER);
      // those that begin with a capital are the rules'
      const own = tries.find(
        ({ says, action: tried }) => says === says.toLowerCase() && says !== OTHER && fits(tried, action),
      );
      return own ? textsOf(chapter, own.says) : null;
    },
  };
}

function isReached(
  { stack, building, captive, emperor, points, won, did = {} }: Goal,
  { position }: EkoPlace,
  seat: Seat,
  steps: readonly Step[],
): boolean {
  const [tower, built] = [stack && position.stack(stack.at), building && position.building(building.at)];
  const own = steps
    .filter(({ entry }) => entry.seat === seat)
    .map(({ entry }) => (entry as unknown as { effect: Effect }).effect);
  return (
    (!stack || (tower?.owner === seat && tower.height >= stack.height)) &&
    (!building || (built?.owner === seat && built.kind === building.kind)) &&
    (captive === undefined || position.toJson().captives[seat]!.includes(captive)) &&
    (emperor === undefined || position.toPlayer(seat).emperor.where === emperor) &&
    (points === undefined || position.points(seat).total >= points) &&
    (!won || position.outcome()?.winners.includes(seat) === true) &&
    Object.entries(did).every(([effect, times]) => own.filter((one) => one === effect).length >= times)
  );
}

/** The decisions of a seat in the main line are to be found; comments on variations answer others. */
function ofRecord(chapter: Chapter, text: string): Asked {
  const { nodes } = readRecord(text, ekoBook(engine()));
  const { seat = 0 } = chapter.task ?? {};
  const line = mainLine(nodes);
  const own = line.filter((number) => nodes[number]!.seat === seat);
  const answers: Answer[] = [];
  let taken = 0;
  for (const number of line.slice(line.indexOf(own[0]!), line.indexOf(own.at(-1)!))) {
    const { seat: other, action } = nodes[number]!;
    if (other === seat) taken++;
    else answers.push({ seat: other, action: action!, after: taken });
  }
  const replied = (comment: string): InEach<string> =>
    Object.fromEntries(Object.keys(chapter.words).map((tag) => [tag, comment]));
  return {
    start: nodes[nodes[own[0]!]!.parent]!.place,
    seat,
    answers,
    isReached: (_, __, count) => count >= own.length,
    reply: (n, action) => {
      const wanted = nodes[own[n - 1]!]!;
      const from = nodes[wanted.parent]!.place;
      const played = from.format(action);
      if (played === from.format(wanted.action!)) return null;
      const known = nodes.find(
        ({ parent, action: one, comment }) => parent === wanted.parent && one && comment && from.format(one) === played,
      );
      return known ? replied(known.comment) : textsOf(chapter, OTHER);
    },
  };
}
