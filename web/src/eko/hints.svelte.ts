/** Hints in games against bots: what an enemy stack could do next, and one good decision with what speaks for it. */
import { ask } from '../shell/api';
import type { Action, Seat, SpaceName } from './protocol';
import type { Table } from './table.svelte';

/** What a stack could do, were it its turn. */
export interface Threats {
  place: SpaceName;
  seat: Seat;
  moves: SpaceName[];
  takes: SpaceName[];
  sites: SpaceName[];
}
export interface Reason {
  reason: string;
  n?: number;
}
export interface Advice {
  seat: Seat;
  action: Action;
  /** The weightiest first. */
  reasons: Reason[];
}
/** How the server is asked, so that tests can stand in for it. */
export interface Adviser {
  threats(table: string, place: SpaceName): Promise<Threats>;
  advice(table: string): Promise<Advice>;
}
const SERVER: Adviser = {
  threats: (table, place) => ask(`/api/tables/${table}/threats/${encodeURIComponent(place)}`),
  advice: (table) => ask(`/api/tables/${table}/advice`),
};

/** The spaces that an action touches, its start first. */
export function spacesOf(action: Action): SpaceName[] {
  const named = ['from', 'to', 'site', 'space'] as const;
  return named.flatMap((key) => {
    const space = (action as Partial<Record<string, unknown>>)[key];
    return typeof space === 'string' ? [space] : [];
  });
}

export class Hints {
  threats = $state.raw<Threats | null>(null);
  advice = $state.raw<Advice | null>(null);
  /** A space that is explained. */
  place = $state<SpaceName | null>(null);
  readonly #table: Table;
  readonly #adviser: Adviser;
  /** Counts the questions: an answer that comes after a later one, or after letting go, is dropped. */
  #asked = 0;

  constructor(table: Table, adviser = SERVER) {
    [this.#table, this.#adviser] = [table, adviser];
  }

  /** Whether hints are given here: somebody plays against bots alone. */
  get offered(): boolean {
    const { seats, yours, state, past } = this.#table;
    return yours.length > 0 && state !== null && !state.outcome && !past && seats.every((seat) => seat.yours || seat.kind === 'bot');
  }

  /** One good decision. */
  async advise(): Promise<void> {
    this.letGo();
    await this.#answer(this.#adviser.advice(this.#table.id), (advice) => (this.advice = advice));
  }

  /** Looks at an enemy stack. Returns whether there is one that nothing can be done to just now. */
  look(space: SpaceName): boolean {
    const { shown, selection, yours, marks } = this.#table;
    const stack = shown?.position.stacks[space];
    const foreign = stack !== undefined && !yours.includes(stack.owner);
    const idle = selection.from === null && selection.site === null && selection.mode === 'board';
    if (!this.offered || !foreign || !idle || marks.has(space)) return false;
    const again = this.threats?.place === space;
    this.letGo();
    if (!again) void this.#answer(this.#adviser.threats(this.#table.id, space), (threats) => (this.threats = threats));
    return true;
  }

  /** Explains a space, unless something is in hand. */
  explain(space: SpaceName): void {
    const { selection } = this.#table;
    if (selection.from !== null || selection.palette !== null || selection.draft !== null) return;
    this.letGo();
    this.place = space;
  }

  letGo(): void {
    this.#asked++;
    [this.threats, this.advice, this.place] = [null, null, null];
  }

  /** Takes an answer, unless something else is wanted by then; who can't be asked says nothing. */
  async #answer<T>(answer: Promise<T>, take: (answer: T) => void): Promise<void> {
    const asked = this.#asked;
    const found = await answer.catch(() => null);
    if (found !== null && asked === this.#asked) take(found);
  }
}
