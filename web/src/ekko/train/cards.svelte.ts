/** The exercise "which card": decisions one after the other, and how often the best card was chosen. */
import type { ExerciseChoice } from '../../protocol/messages';
import { ask } from '../../shell/api';
import type { Transport } from '../../shell/connection.svelte';
import { store, stored } from '../../shell/settings.svelte';
import { type Choice, type OpenState, OpenTable, type Value } from '../analysis/open.svelte';
import type { Card } from '../protocol';
import { seatsOf } from './reflex.svelte';

/** The best value comes first. */
export type Exercise = Omit<ExerciseChoice, 'state'> & { state: OpenState };
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
  readonly #game: string;
  /** Of all choices, once one was made. */
  readonly values: ReadonlyMap<string, Value> = $derived.by(() => {
    const { exercise, chosen } = this;
    return new Map(chosen && exercise ? exercise.values.map(({ notation, ...value }, i) => [notation, { ...value, isBest: i === 0 }]) : []);
  });
  /** How many points the chosen card is worse than the best. */
  readonly loss: number = $derived.by(() => {
    const { exercise, chosen } = this;
    const value = exercise?.values.find(({ notation }) => notation === chosen?.notation);
    return exercise && value ? exercise.values[0]!.points - value.points : 0;
  });
  /** The cards of the hand that can't be played. */
  readonly others: readonly Card[] = $derived((this.hand?.hand ?? []).filter((card) => !this.choices.some(({ action }) => action.card === card)));

  constructor(game: string, transport: Transport) {
    super(transport);
    this.#game = game;
  }

  async load(): Promise<void> {
    const exercise = await ask<Exercise>(`/api/${this.#game}/exercises/choices/${this.progress.next}`);
    this.chosen = null;
    this.seats = seatsOf(exercise.state.position.players, exercise.seat);
    [this.exercise, this.state] = [exercise, exercise.state];
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
