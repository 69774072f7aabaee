/**
 * A table as one browser sees it: what the server said last, what the player has in hand, and what is on the way. Headless; the
 * pages draw it and report gestures.
 */
import { choicesOf, members, pathsOf, withPaths, type Ways } from './choices';
import type {
  BoardData,
  Choice,
  Entry,
  Failure,
  Intent,
  Options,
  Seat,
  ServerMessage,
  SpaceName,
  State,
  TableMessage,
  Terrain,
  Update,
} from './protocol';
import * as select from './selection';
import type { Asked, Selection } from './selection';
import type { Surroundings } from '../shell/connection';
import { TableState, type Wishes as CommonWishes } from '../shell/table.svelte';

export type { Notice } from '../shell/table.svelte';

/** One decision to be shown moving: the entry and the state that it led from. */
export interface Step {
  entry: Entry;
  before: State;
  /** It is shown backwards, from its end to where it began. */
  back?: boolean;
}

/** An earlier position that is looked at. */
export interface Past {
  n: number;
  state: State;
  /** How it is reached from the position that was shown before; null: by a jump. */
  step: Step | null;
}

export interface Wishes extends CommonWishes {
  autoEnd(): boolean;
  position(n: number): Promise<State>;
}

/** What changes the game. */
const DECISIVE: readonly string[] = ['act', 'undo', 'end_turn', 'resign'] satisfies Intent['type'][];

export class Table extends TableState<Options, State, Entry, Intent, BoardData> {
  selection = $state.raw<Selection>(select.NOTHING);
  past = $state.raw<Past | null>(null);
  /** The latest decision, for the board to animate; null after an undo or a jump. */
  step = $state.raw<Step | null>(null);
  /** Decisions of ours that are on the way or stored but not shown yet; questions do not hold up the game. */
  readonly waiting = $derived(this.sent.filter(({ type }) => DECISIVE.includes(type)).length + (this.stored > this.version ? 1 : 0));

  readonly terrain: ReadonlyMap<SpaceName, Terrain> = $derived(
    new Map((this.board?.spaces ?? []).map(({ space, terrain }) => [space, terrain])),
  );
  /** The board's spaces in its order: the server names them by their numbers. */
  readonly #spaces: readonly SpaceName[] = $derived((this.board?.spaces ?? []).map(({ space }) => space));
  /** The seat of this browser that is asked, and what it may do; more: the stacks that have further choices. */
  readonly #offer: { seat: Seat; choices: readonly Choice[]; more: ReadonlySet<SpaceName> } | null = $derived.by(() => {
    const state = this.state;
    const seat = state?.asked.find((one) => state.choices[String(one)] !== undefined);
    const rows = seat === undefined ? undefined : state?.choices[String(seat)];
    if (!state || seat === undefined || !rows) return null;
    const more = new Set(members(rows.more ?? '').map((space) => this.#spaces[space] ?? ''));
    return { seat, choices: choicesOf(rows, this.#spaces, state.position), more };
  });
  /** What the server has told of stacks that were picked or looked at, in the present state; null: asked for. */
  #pieces = $state.raw<ReadonlyMap<SpaceName, Ways | null>>(new Map());
  /** Of them, of the stack that is picked. */
  readonly #piece: Ways | null = $derived(this.selection.from === null ? null : (this.#pieces.get(this.selection.from) ?? null));
  /** The seat of this browser that is asked now, with its choices; null while others are. */
  readonly asked: Asked | null = $derived.by(() => {
    const state = this.state;
    if (!state || this.past || !this.#offer) return null;
    const { seat, choices, more } = this.#offer;
    return { seat, phase: state.asked_to, choices: this.#withPiece(choices), more, position: state.position, terrain: this.terrain };
  });
  readonly marks = $derived(this.asked ? select.marks(this.asked, this.selection) : new Map<SpaceName, select.Mark>());
  readonly draft = $derived(this.asked ? select.draftChoice(this.asked, this.selection.draft) : null);
  /** What the board shows: an earlier position or the present one. */
  readonly shown: State | null = $derived(this.past?.state ?? this.state);
  /** The seat for which End turn and Undo work now. */
  readonly heldByMe = $derived(
    this.state !== null && this.state.held !== null && this.yours.includes(this.state.held) ? this.state.held : null,
  );
  /** Whose eyes the log is told for: the one seat of this browser, of several the one that decides, else nobody's. */
  readonly me: Seat | null = $derived.by(() => {
    if (this.yours.length < 2) return this.yours[0] ?? null;
    const active = this.state?.held ?? this.state?.asked[0] ?? this.state?.position.turn.player ?? null;
    return active !== null && this.yours.includes(active) ? active : null;
  });
  readonly undoSeat = $derived(this.state?.undo.find((seat) => this.yours.includes(seat)) ?? null);
  /** The seat of this browser that may think ahead: at a table of days, while others decide, who sit elsewhere. */
  readonly thinks = $derived.by(() => {
    const { state, options } = this;
    if (!state || state.outcome || !options?.clock || !('days' in options.clock) || this.seats.some(({ taken }) => !taken)) return null;
    const decides = this.yours.some((seat) => state.asked.includes(seat) || state.held === seat);
    return decides ? null : (this.yours[0] ?? null);
  });
  readonly endChoice = $derived(this.asked?.choices.find(({ action }) => action.type === 'end') ?? null);
  /** Whether Undo does something now. */
  readonly mayUndo = $derived(this.past === null && (this.undoSeat !== null || this.selection.draft !== null));
  /** Whether End turn does something now. */
  readonly mayEnd = $derived(this.heldByMe !== null || this.draft !== null || this.endChoice !== null);
  /** Whether nothing else is left to choose. */
  readonly onlyEnd = $derived(this.heldByMe !== null || (this.asked?.choices.length === 1 && !this.asked.more?.size && this.endChoice !== null));

  readonly #wishes: Wishes;
  /** Counts the looks at earlier positions: an answer that comes after a later look, or after letting go, is dropped. */
  #looks = 0;
  /** A target that was tapped before all was known of the stack that is picked. */
  #tapped: { space: SpaceName; dragged: boolean } | null = null;
  /** End turn was pressed while a draft was on the way: end as soon as `end` is offered in this turn. */
  #ending: { seat: Seat; turn: number } | null = null;

  constructor(around: Surroundings, wishes: Wishes) {
    super(around, wishes);
    this.#wishes = wishes;
  }

  // Gestures

  /** dragged: a stack was drawn there, so what is meant needs no asking. */
  tap(space: SpaceName, dragged = false): void {
    this.notice = null;
    if (this.past || this.waiting > 0) return;
    if (!this.asked) return this.#notYourTurn();
    this.#tapped = this.#isUnknown && space !== this.selection.from ? { space, dragged } : null;
    if (this.#tapped !== null) return;
    const { selection, act, ask, idle } = select.tap(this.asked, this.selection, space, dragged);
    this.selection = selection;
    if (selection.from !== null) this.approach(selection.from);
    if (idle) this.notice = { kind: 'hint', code: 'pick-first', rule: null, message: '' };
    if (act) this.act(act);
    if (ask) this.send({ type: 'why', seat: this.asked.seat, action: ask });
  }

  /** A stack is picked, or looked at as if it might be: what there is to know of it is asked for, once. */
  approach(space: SpaceName): void {
    const { choices = [], more } = this.#offer ?? {};
    const moves = more?.has(space) || choices.some(({ action }) => action.type === 'move' && action.from === space);
    if (this.#pieces.has(space) || !moves) return;
    this.#pieces = new Map(this.#pieces).set(space, null);
    this.send({ type: 'ways', of: this.#spaces.indexOf(space) });
  }

  /** One after the other, the stacks of which not all is told are asked for, so that a pick need not wait. */
  #foresee(): void {
    const next = [...(this.#offer?.more ?? [])].find((space) => !this.#pieces.has(space));
    if (next !== undefined) this.approach(next);
  }

  /** Choices with what is known of the picked stack: the paths of its moves, and what costs it discs. */
  #withPiece(choices: readonly Choice[]): readonly Choice[] {
    const { from } = this.selection;
    const piece = this.#piece;
    if (!this.state || from === null || !piece) return choices;
    const more = this.#offer?.more.has(from) ? choicesOf(piece.choices, this.#spaces, this.state.position) : [];
    return withPaths([...choices, ...more], from, pathsOf(piece.nodes, this.#spaces));
  }

  /** Whether a tap has to wait: not all is known yet of the stack that is picked. */
  get #isUnknown(): boolean {
    const { from } = this.selection;
    return from !== null && !!this.#offer?.more.has(from) && this.#piece === null;
  }

  /** Escape, or a tap beside the board. */
  letGo(): void {
    this.notice = null;
    this.#looks++;
    if (this.past) this.past = null;
    else this.selection = select.letGo(this.asked, this.selection);
  }

  choose(selection: Partial<Selection>): void {
    this.selection = { ...select.NOTHING, ...selection };
  }

  /** Decides. A turn that this finishes is held open for an undo, unless the player wishes otherwise. */
  act(choice: Choice, hold = !this.#wishes.autoEnd()): void {
    const { asked, waiting } = this;
    if (!asked || waiting > 0) return;
    this.send({ type: 'act', version: this.version, seat: asked.seat, action: choice.action, hold });
  }

  /** Takes back what is planned, else the latest decision. */
  undo(): void {
    if (this.selection.draft && this.asked) {
      this.selection = select.initial(this.asked.choices);
      return;
    }
    const seat = this.undoSeat;
    if (seat !== null && !this.past && this.waiting === 0) this.send({ type: 'undo', version: this.version, seat });
  }

  endTurn(): void {
    const { asked, draft, endChoice, heldByMe } = this;
    if (this.past || this.waiting > 0) return;
    if (heldByMe !== null) return void this.send({ type: 'end_turn', version: this.version, seat: heldByMe });
    if (draft && asked) {
      this.#ending = { seat: asked.seat, turn: asked.position.turn.number };
      this.act(draft, false);
    } else if (endChoice) this.act(endChoice, false);
  }

  offerDraw(seat: Seat, offer: boolean): void {
    this.send({ type: 'draw', version: this.version, seat, offer });
  }
  /** Looks at the position after `n` decisions; the present one when `n` is null. */
  async look(n: number | null): Promise<void> {
    const look = ++this.#looks;
    if (n === null) {
      [this.past, this.step] = [null, null];
      return;
    }
    const present = n >= this.log.length;
    // a lost line says so by itself; what is shown stays
    const state = present ? this.state : await this.#wishes.position(n).catch(() => null);
    if (state === null || look !== this.#looks) return;
    this.past = { n: Math.min(n, this.log.length), state, step: this.#stepTo(n) };
  }

  /** The decision that leads from what is shown to the position after `n`, where there is just one between them. */
  #stepTo(n: number): Step | null {
    const [at, before] = [this.past?.n ?? this.log.length, this.shown];
    const entry = this.log[Math.min(at, n)];
    if (!entry || !before || Math.abs(at - n) !== 1) return null;
    return { entry, before, back: n < at };
  }

  // What the server says

  override receive(message: ServerMessage): void {
    if (message.type !== 'why' && message.type !== 'ways') return super.receive(message);
    this.answered(message.key);
    if (message.type === 'ways') return this.#learn(message);
    if (message.refusal) this.notice = { kind: 'why', ...message.refusal };
  }

  #learn({ version, ways }: { version: number; ways: Ways }): void {
    const start = this.#spaces[ways.nodes[0]?.[0] ?? -1];
    if (version !== this.version || start === undefined) return;
    this.#pieces = new Map(this.#pieces).set(start, ways);
    if (this.#tapped !== null && this.selection.from === start) this.tap(this.#tapped.space, this.#tapped.dragged);
    this.#foresee();
  }

  protected override goesOn(message: TableMessage | Update<State, Entry>): () => void {
    this.#pieces = new Map();
    this.#tapped = null;
    const goOn = message.type === 'table' ? this.#enters(message) : this.#goesOn(message);
    return () => {
      goOn();
      this.#foresee();
    };
  }

  /** After a lost line what was chosen is still in hand, if the table stands as it did. */
  #enters({ version }: TableMessage): () => void {
    const same = version === this.version && this.state !== null;
    return () => {
      this.step = null;
      if (same) return;
      this.#ending = null;
      this.#begin();
    };
  }

  #goesOn({ keep, entries }: Update<State, Entry>): () => void {
    const before = this.state;
    const wasAsked = this.asked?.seat;
    const undone = keep < this.log.length;
    const entry = entries.at(-1);
    return () => {
      // what a player has foreseen follows at once: there is no picture of what lay between
      this.step = entry && before && !undone && entries.length === 1 ? { entry, before } : null;
      if (undone && this.past && this.past.n >= this.log.length) this.past = null;
      // An offer of a draw changes nothing of what is asked: what was chosen stays in hand.
      const same = !undone && !entry && wasAsked !== undefined && wasAsked === this.asked?.seat;
      if (same) return;
      this.#begin();
      this.#goOnEnding();
    };
  }

  protected override failed(failure: Failure): void {
    this.#ending = null;
    super.failed(failure);
  }

  #begin(): void {
    this.selection = this.asked ? select.initial(this.asked.choices, this.asked.more) : select.NOTHING;
    if (this.asked) this.notice = null;
  }

  #goOnEnding(): void {
    const ending = this.#ending;
    if (!ending) return;
    this.#ending = null;
    const { asked, endChoice } = this;
    const still = asked?.seat === ending.seat && asked.position.turn.number === ending.turn;
    if (still && endChoice) this.send({ type: 'act', version: this.version, seat: ending.seat, action: endChoice.action, hold: false });
  }

  #notYourTurn(): void {
    if (!this.state || this.state.outcome || this.heldByMe !== null) return;
    if (this.yours.length === 0) this.notice = { kind: 'hint', code: 'watching', rule: null, message: '' };
    else this.notice = { kind: 'why', code: 'not-your-turn', rule: 'E4.1', message: '' };
  }
}
