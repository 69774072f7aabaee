/** The exercise "which card": decisions one after the other, and how often the best card was chosen. */
import type { Transport } from '../../net/connection.svelte';
import { seatsOf } from '../../table/line';
import { store, stored } from '../../ui/settings.svelte';
import { type Choice, type OpenState, OpenTable, type Value } from '../analysis/open.svelte';
import { type Card, type Position, quietState } from '../protocol';

/** A decision as choices.json has it: what its player sees, and the value of each card, the best first. */
export interface Line {
  seat: number;
  view: Position & { hand: Card[]; aside: Card[]; turn: { blocked?: Card[] } };
  values: [card: Card, points: number, error: number][];
}
/** `number`: from 1, of `count`. */
interface Exercise {
  readonly number: number;
  readonly count: number;
  readonly values: readonly { readonly notation: string; readonly points: number; readonly error: number }[];
}
interface Progress {
  /** The number of the next decision. */
  next: number;
  done: number;
  right: number;
  /** Right ones in a row. */
  streak: number;
}
const KEY = 'ekoes.cards';
const NONE: Progress = { next: 1, done: 0, right: 0, streak: 0 };

export class CardExercise extends OpenTable {
  exercise = $state.raw<Exercise | null>(null);
  chosen = $state<Choice | null>(null);
  progress = $state.raw<Progress>({ ...NONE, ...stored<Partial<Progress>>(KEY, {}) });
  /** Of all choices, once one was made. */
  readonly values: ReadonlyMap<string, Value> = $derived.by(() => {
    const { exercise, chosen } = this;
    return new Map(
      chosen && exercise
        ? exercise.values.map(({ notation, ...value }, i) => [notation, { ...value, isBest: i === 0 }])
        : [],
    );
  });
  /** How many points the chosen card is worse than the best. */
  readonly loss: number = $derived.by(() => {
    const { exercise, chosen } = this;
    const value = exercise?.values.find(({ notation }) => notation === chosen?.notation);
    return exercise && value ? exercise.values[0]!.points - value.points : 0;
  });
  /** The cards of the hand that can't be played. */
  readonly others: readonly Card[] = $derived(
    (this.hand?.hand ?? []).filter((card) => !this.choices.some(({ action }) => action.card === card)),
  );

  constructor(
    private readonly lines: readonly Line[],
    transport: Transport,
  ) {
    super(transport);
    this.load();
  }

  load(): void {
    const number = Math.min(this.progress.next, this.lines.length);
    const { seat, view, values } = this.lines[number - 1]!;
    this.chosen = null;
    this.seats = seatsOf(view.players, [], seat);
    this.exercise = {
      number,
      count: this.lines.length,
      values: values.map(([card, points, error]) => ({ notation: String(card), points, error })),
    };
    this.state = openState(
      seat,
      view,
      values.map(([card]) => card),
    );
  }
  choose(choice: Choice): void {
    const { exercise, progress } = this;
    if (!exercise || this.chosen) return;
    this.chosen = choice;
    const isRight = choice.notation === exercise.values[0]?.notation;
    this.progress = {
      next: (exercise.number % exercise.count) + 1,
      done: progress.done + 1,
      right: progress.right + Number(isRight),
      streak: isRight ? progress.streak + 1 : 0,
    };
    store(KEY, this.progress);
  }
}

function openState(seat: number, { hand, aside, ...position }: Line['view'], cards: Card[]): OpenState {
  const { round, blocked } = position.turn;
  const choices = cards
    .toSorted((one, other) => one - other)
    .map((card) => ({ seat, round, action: { type: 'play', card }, verdict: 'play' as const, notation: String(card) }));
  return { ...quietState(position, { [seat]: { hand, aside, blocked: blocked ?? [] } }), choices };
}
