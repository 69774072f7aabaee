/**
 * A table as one browser sees it: what the server said last, what the player has in hand, and what is on the way. Headless; the
 * pages draw it and report gestures.
 */
import { Connection, type Line, type Surroundings } from '../shell/connection';
import type {
  BoardData,
  Choice,
  Entry,
  Intent,
  Seat,
  SeatInfo,
  ServerMessage,
  SpaceName,
  State,
  TableMessage,
  Terrain,
} from './protocol';
import * as select from './selection';
import type { Asked, Selection } from './selection';

/** A line for the player: why something cannot be done, or what went wrong. */
export interface Notice {
  kind: 'why' | 'error' | 'hint';
  code: string;
  rule: string | null;
  message: string;
}

/** One decision to be shown moving: the entry and the state that it led from. */
export interface Step {
  entry: Entry;
  before: State;
}

/** An earlier position that is looked at. */
export interface Past {
  n: number;
  state: State;
}

export interface Wishes {
  autoEnd(): boolean;
  pace(): number;
  position(n: number): Promise<State>;
}

export class Table {
  line = $state<Line>('connecting');
  id = $state('');
  version = $state(0);
  seats = $state.raw<SeatInfo[]>([]);
  options = $state.raw<TableMessage['options'] | null>(null);
  board = $state.raw<BoardData | null>(null);
  state = $state.raw<State | null>(null);
  log = $state.raw<Entry[]>([]);
  selection = $state.raw<Selection>(select.NOTHING);
  notice = $state.raw<Notice | null>(null);
  past = $state.raw<Past | null>(null);
  /** The latest decision, for the board to animate; null after an undo or a jump. */
  step = $state.raw<Step | null>(null);
  /** Decisions of ours that are on the way or stored but not shown yet. */
  waiting = $state(0);

  readonly terrain: ReadonlyMap<SpaceName, Terrain> = $derived(
    new Map((this.board?.spaces ?? []).map(({ space, terrain }) => [space, terrain])),
  );
  /** The seat of this browser that is asked now, with its choices; null while others are. */
  readonly asked: Asked | null = $derived.by(() => {
    const state = this.state;
    if (!state || this.past) return null;
    for (const seat of state.asked) {
      const choices = state.choices[String(seat)];
      if (choices) return { seat, phase: state.asked_to, choices, position: state.position, terrain: this.terrain };
    }
    return null;
  });
  readonly yours: readonly Seat[] = $derived(this.seats.filter(({ yours }) => yours).map(({ seat }) => seat));
  readonly marks = $derived(this.asked ? select.marks(this.asked, this.selection) : new Map<SpaceName, select.Mark>());
  readonly draft = $derived(this.asked ? select.draftChoice(this.asked, this.selection.draft) : null);
  /** What the board shows: an earlier position or the present one. */
  readonly shown: State | null = $derived(this.past?.state ?? this.state);
  /** The seat for which End turn and Undo work now. */
  readonly heldByMe = $derived(
    this.state !== null && this.state.held !== null && this.yours.includes(this.state.held) ? this.state.held : null,
  );
  readonly undoSeat = $derived(this.state?.undo.find((seat) => this.yours.includes(seat)) ?? null);
  readonly endChoice = $derived(this.asked?.choices.find(({ action }) => action.type === 'end') ?? null);
  /** Whether End turn does something now. */
  readonly mayEnd = $derived(this.heldByMe !== null || this.draft !== null || this.endChoice !== null);
  /** Whether nothing else is left to choose. */
  readonly onlyEnd = $derived(this.heldByMe !== null || (this.asked?.choices.length === 1 && this.endChoice !== null));

  readonly #connection: Connection<ServerMessage, Intent>;
  readonly #wishes: Wishes;
  readonly #sent = new Map<string, Intent>();
  /** The newest version that the server has acknowledged. */
  #stored = 0;
  /** Counts the looks at earlier positions: an answer that comes after a later look, or after letting go, is dropped. */
  #looks = 0;
  /** End turn was pressed while a draft was on the way: end as soon as `end` is offered in this turn. */
  #ending: { seat: Seat; turn: number } | null = null;

  constructor(around: Surroundings, wishes: Wishes) {
    this.#wishes = wishes;
    this.#connection = new Connection(
      around,
      (message) => this.receive(message),
      (line) => {
        this.line = line;
      },
    );
  }

  open(): void {
    this.#connection.open();
  }
  close(): void {
    this.#connection.close();
  }
  hurry(): void {
    this.#connection.hurry();
  }

  // Gestures

  tap(space: SpaceName): void {
    this.notice = null;
    if (this.past || this.waiting > 0) return;
    if (!this.asked) return this.#notYourTurn();
    const { selection, act, ask, idle } = select.tap(this.asked, this.selection, space);
    this.selection = selection;
    if (idle) this.notice = { kind: 'hint', code: 'pick-first', rule: null, message: '' };
    if (act) this.act(act);
    if (ask) this.#send({ type: 'why', seat: this.asked.seat, action: ask });
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
    this.#send({ type: 'act', version: this.version, seat: asked.seat, action: choice.action, hold });
  }

  undo(): void {
    const seat = this.undoSeat;
    if (seat !== null && !this.past && this.waiting === 0) this.#send({ type: 'undo', version: this.version, seat });
  }

  endTurn(): void {
    const { asked, draft, endChoice, heldByMe } = this;
    if (this.past || this.waiting > 0) return;
    if (heldByMe !== null) return void this.#send({ type: 'end_turn', version: this.version, seat: heldByMe });
    if (draft && asked) {
      this.#ending = { seat: asked.seat, turn: asked.position.turn.number };
      this.act(draft, false);
    } else if (endChoice) this.act(endChoice, false);
  }

  sit(seat: Seat, name: string): void {
    this.#send({ type: 'sit', seat, ...(name && { name }) });
  }
  stand(seat: Seat): void {
    this.#send({ type: 'stand', seat });
  }
  rename(seat: Seat, name: string): void {
    this.#send({ type: 'rename', seat, name });
  }
  resign(seat: Seat): void {
    this.#send({ type: 'resign', version: this.version, seat });
  }
  offerDraw(seat: Seat, offer: boolean): void {
    this.#send({ type: 'draw', version: this.version, seat, offer });
  }
  rematch(): void {
    const agreed = this.state?.rematch.agreed ?? [];
    for (const seat of this.yours) if (!agreed.includes(seat)) this.#send({ type: 'rematch', seat });
  }
  pace(milliseconds: number): void {
    if (this.#plays) this.#send({ type: 'pace', milliseconds });
  }

  /** Looks at the position after `n` decisions; the present one when `n` is the last or null. */
  async look(n: number | null): Promise<void> {
    const look = ++this.#looks;
    if (n === null || n >= this.log.length) {
      this.past = null;
      return;
    }
    // a lost line says so by itself; what is shown stays
    const state = await this.#wishes.position(n).catch(() => null);
    if (state !== null && look === this.#looks) this.past = { n, state };
  }

  // What the server says

  receive(message: ServerMessage): void {
    if ('key' in message && message.key !== undefined) this.#answered(message.key, message.type);
    switch (message.type) {
      case 'table':
        return this.#table(message);
      case 'update':
        return this.#update(message);
      case 'seats':
        this.seats = message.seats;
        return;
      case 'pace':
        return;
      case 'why':
        if (message.refusal) this.notice = { kind: 'why', ...message.refusal };
        return;
      case 'error':
        return this.#error(message);
      case 'ack':
        this.#stored = Math.max(this.#stored, message.version);
        return this.#count();
    }
  }

  get #plays(): boolean {
    return this.seats.some(({ yours }) => yours);
  }

  #table(message: TableMessage): void {
    const same = message.version === this.version && this.state !== null;
    this.id = message.id;
    this.seats = message.seats;
    this.options = message.options;
    this.board = message.board;
    this.version = message.version;
    this.log = message.log;
    this.step = null;
    this.state = message.state;
    this.#stored = message.version;
    this.#count();
    // After a lost line what was chosen is still in hand, if the table stands as it did.
    if (!same) {
      this.#ending = null;
      this.#begin();
    }
    if (!same && this.#plays && message.seats.some(({ kind }) => kind === 'bot') && message.pace !== this.#wishes.pace()) this.pace(this.#wishes.pace());
  }

  #update(message: Extract<ServerMessage, { type: 'update' }>): void {
    const before = this.state;
    const wasAsked = this.asked?.seat;
    if (message.seats) this.seats = message.seats;
    const undone = message.keep < this.log.length;
    this.log = [...this.log.slice(0, message.keep), ...message.entries];
    const entry = message.entries.at(-1);
    this.step = entry && before && !undone ? { entry, before } : null;
    this.version = message.version;
    this.state = message.state;
    this.#count();
    if (undone && this.past && this.past.n >= this.log.length) this.past = null;
    // An offer of a draw changes nothing of what is asked: what was chosen stays in hand.
    const same = !undone && !entry && wasAsked !== undefined && wasAsked === this.asked?.seat;
    if (same) return;
    this.#begin();
    this.#goOnEnding();
  }

  #begin(): void {
    this.selection = this.asked ? select.initial(this.asked.choices) : select.NOTHING;
    if (this.asked) this.notice = null;
  }

  #goOnEnding(): void {
    const ending = this.#ending;
    if (!ending) return;
    this.#ending = null;
    const { asked, endChoice } = this;
    const still = asked?.seat === ending.seat && asked.position.turn.number === ending.turn;
    if (still && endChoice) this.#send({ type: 'act', version: this.version, seat: ending.seat, action: endChoice.action, hold: false });
  }

  #error({ code, rule, refusal, message }: Extract<ServerMessage, { type: 'error' }>): void {
    this.#ending = null;
    this.notice = { kind: refusal ? 'why' : 'error', code: refusal ?? code, rule: rule ?? null, message };
  }

  #notYourTurn(): void {
    if (!this.state || this.state.outcome || this.heldByMe !== null) return;
    this.notice = { kind: 'why', code: 'not-your-turn', rule: 'E4.1', message: '' };
  }

  #send(intent: Intent): string {
    const key = this.#connection.send(intent);
    this.#sent.set(key, intent);
    this.#count();
    return key;
  }

  #answered(key: string, type: string): void {
    if (type === 'ack' || type === 'error' || type === 'why') this.#sent.delete(key);
    this.#count();
  }

  /** Questions do not hold up the game; decisions on the way do. */
  #count(): void {
    const decisive: readonly Intent['type'][] = ['act', 'undo', 'end_turn', 'resign'];
    const sent = [...this.#sent.values()].filter(({ type }) => decisive.includes(type)).length;
    this.waiting = sent + (this.#stored > this.version ? 1 : 0);
  }
}

