/** Tasks of Ekö, in lessons and chapters of studies, judged by the engine of this page (docs/reference/studies.md). */

import type { Action, Kind, Space } from '../engine/eko/action';
import { EkoPlace, ekoBook } from '../engine/eko/book';
import type { Effect, PositionJson } from '../engine/eko/position';
import { mainLine, readRecord } from '../engine/record';
import type { Seat, Tried } from '../net/protocol';
import { type Step as AnyStep, refusalOf, seatsOf } from '../table/line';
import {
  type Answer,
  type Asked,
  hasDone,
  type Played,
  player,
  replyTo,
  type TaskChapter,
  type TaskForm,
  textsOf,
} from '../table/tasks';
import type { InEach } from '../ui/i18n.svelte';
import { engine } from './engine';
import { step, tableAfter } from './local';

type Step = AnyStep<EkoPlace>;
type Steps = readonly Step[];

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
export interface Chapter extends TaskChapter {
  task?: TaskForm<Goal, Action> | undefined;
}

/** Where tasks of a position and of a record differ. */
interface Wanted extends Pick<Asked<Steps, Action>, 'seat' | 'answers' | 'reply'> {
  readonly start: EkoPlace;
  isReached(place: EkoPlace, steps: Steps, taken: number): boolean;
}

/** Reads a task, and plays it by the reader's decisions, the last of which may be illegal. */
export function taskOf(chapter: Chapter): (decisions: readonly Action[]) => Played {
  const { start, isReached, ...wanted } =
    chapter.record === undefined ? ofPosition(chapter) : ofRecord(chapter, chapter.record);
  const { players } = start.position;
  const about = {
    id: chapter.name,
    seats: seatsOf(players, [], wanted.seat),
    options: { players, variants: [], setup: 'standard' },
  };
  const last = (steps: Steps): EkoPlace => steps.at(-1)?.place ?? start;
  return player<Steps, Action>({
    ...wanted,
    start: [],
    isOpen: (steps) => !last(steps).result && last(steps).actors.includes(wanted.seat),
    isReached: (steps, taken) => isReached(last(steps), steps, taken),
    step: (steps, seat, action) => [...steps, step(last(steps), seat, action)],
    timeOut: () => {
      throw new RangeError('no clock runs');
    },
    refusal: (steps, action, error) => refusalOf(last(steps), wanted.seat, action, error),
    table: (steps) => tableAfter({ start, steps }, about) as unknown as Tried['table'],
  });
}

function ofPosition(chapter: Chapter): Wanted {
  const { seat = 0, goal = {}, answers = [] } = chapter.task ?? {};
  return {
    start: EkoPlace.at(engine().position(chapter.position as PositionJson)),
    seat,
    answers,
    isReached: (place, steps) => isReached(goal, place, seat, steps),
    reply: (_, action) => replyTo(chapter, action),
  };
}

function isReached(
  { stack, building, captive, emperor, points, won, did = {} }: Goal,
  { position }: EkoPlace,
  seat: Seat,
  steps: Steps,
): boolean {
  const [tower, built] = [stack && position.stack(stack.at), building && position.building(building.at)];
  const log = steps.map(({ entry }) => ({ seat: entry.seat, did: (entry as unknown as { effect: Effect }).effect }));
  return (
    (!stack || (tower?.owner === seat && tower.height >= stack.height)) &&
    (!building || (built?.owner === seat && built.kind === building.kind)) &&
    (captive === undefined || position.toJson().captives[seat]!.includes(captive)) &&
    (emperor === undefined || position.toPlayer(seat).emperor.where === emperor) &&
    (points === undefined || position.points(seat).total >= points) &&
    (!won || position.outcome()?.winners.includes(seat) === true) &&
    hasDone(did, log, seat)
  );
}

/** The decisions of a seat in the main line are to be found; comments on variations answer others. */
function ofRecord(chapter: Chapter, text: string): Wanted {
  const { nodes } = readRecord(text, ekoBook(engine()));
  const { seat = 0 } = chapter.task ?? {};
  const line = mainLine(nodes);
  const own = line.filter((number) => nodes[number]!.seat === seat);
  const answers: Answer<Action>[] = [];
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
      return known ? replied(known.comment) : textsOf(chapter);
    },
  };
}
