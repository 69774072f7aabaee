/** EKKO as a sequence of decisions, all hands open, which one person plays alone (K6): what its page shows after a line of them. */
import type { Action } from '../engine/ekko/action';
import type { EkkoPlace } from '../engine/ekko/book';
import type { EkkoPosition } from '../engine/ekko/position';
import { EKKO } from '../engine/records';
import { shuffle } from '../net/chance';
import { type About, type Line, Lines, wholeTable } from '../table/line';
import type { Choice, OpenState } from './analysis/open.svelte';
import { type Entry, type Options, quietState, type Round, type ServerMessage } from './protocol';

export const lines = new Lines<Action, EkkoPlace>(({ position }, seat, action, after) => {
  const draws = position.phase === 'deal' ? [] : position.draws(seat, action, after.position);
  return { ...describe(position, action), ...(draws.length > 0 && { draws }) };
});

export const { step } = lines;

function describe({ round, top }: EkkoPosition, { type }: Action): Pick<Entry, 'round' | 'verdict' | 'on'> {
  return { round, verdict: type, ...(top !== undefined && { on: top }) };
}

/** The 98 cards in a random order (K6.0). */
export function shuffled(): number[] {
  const order = Array.from({ length: EKKO.CARDS }, (_, n) => n + 1);
  shuffle(order);
  return order;
}

/** What may be decided; a deal is drawn. */
function choicesAt(place: EkkoPlace): Choice[] {
  return place.actors.flatMap((seat) =>
    place.position.legal().map((legal) => {
      const action: Action = legal.type === 'deal' ? { ...legal, order: shuffled() } : legal;
      return { seat, action, notation: place.format(action), ...describe(place.position, action) };
    }),
  );
}

export function roundOf({ dealer }: EkkoPosition, after: EkkoPosition): Round[] {
  const end = after.phase === 'deal' || after.phase === 'over' ? after.roundEnd : undefined;
  return end
    ? [{ dealer, points: end.points, sizes: end.sizes, totals: after.scores, reason: end.reason, by: end.by ?? null }]
    : [];
}

/** The table after a line. */
export function tableAfter({ start, steps }: Omit<Line<EkkoPlace>, 'refusal'>, about: About<Options>): ServerMessage {
  const places = [start, ...steps.map(({ place }) => place)];
  const last = places.at(-1)!;
  const { position, outcome } = last;
  const state: OpenState = {
    ...quietState(
      position.toView(),
      Object.fromEntries(about.seats.map(({ seat }) => [String(seat), position.cardsOf(seat)])),
    ),
    stage: position.phase === 'over' ? 'over' : 'race',
    rounds: places.slice(1).flatMap((place, n) => roundOf(places[n]!.position, place.position)),
    choices: choicesAt(last),
    outcome: outcome ?? null,
  };
  return wholeTable('ekko', about, steps, null, state);
}
