/** An Ekö table as one browser sees it. Headless; the pages draw it and report gestures. */

import type { Mark, Step } from '../board/marks';
import type { EkoPosition } from '../engine/eko/position';
import { once } from '../net/once';
import type { Draws } from '../table/agreements/agreement.svelte';
import { Playback } from '../table/playback.svelte';
import { nameOf } from '../table/seats';
import { type Shown, TableState } from '../table/table.svelte';
import { t } from '../ui/i18n.svelte';
import { choicesOf } from './choices';
import { jsonOf, playersOf, positionOf } from './engine';
import { ekoPreferences } from './preferences.svelte';
import type {
  Action,
  BoardData,
  Choice,
  Entry,
  ErrorMessage,
  Options,
  Order,
  Player,
  Seat,
  SpaceName,
  State,
  Terrain,
} from './protocol';
import type { Asked, Selection } from './selection';
import * as select from './selection';

export type { Notice } from '../table/table.svelte';

export interface Past {
  n: number;
  state: State;
  /** null: it was reached by a jump. */
  step: Step | null;
}

const DECISIVE: readonly string[] = ['act', 'undo', 'end_turn', 'resign'] satisfies Order['type'][];

export class EkoTableState extends TableState<Options, State, Entry, Order, BoardData> {
  selection = $state.raw<Selection>(select.NOTHING);
  past = $state.raw<Past | null>(null);
  /** The latest decision, for the board to animate; null after an undo or a jump. */
  step = $state.raw<Step | null>(null);
  /** Decisions that are on the way, or stored but not shown yet. Questions don't block the game. */
  readonly waiting = $derived(
    this.sent.filter(({ type }) => DECISIVE.includes(type)).length + (this.stored > this.version ? 1 : 0),
  );

  readonly terrain: ReadonlyMap<SpaceName, Terrain> = $derived(
    new Map((this.board?.spaces ?? []).map(({ space, terrain }) => [space, terrain])),
  );
  readonly #public = $derived(this.state?.position ?? null);
  /** The present position in the engine. */
  readonly #position = $derived(this.#public && positionOf(this.#public));
  readonly #choices: readonly Choice[] = $derived(this.#position ? choicesOf(this.#position) : []);
  readonly asked: Asked | null = $derived.by(() => {
    const { state, yours } = this;
    const seat = state?.asked.find((one) => yours.includes(one));
    if (!state || this.past || seat === undefined) return null;
    return {
      seat,
      phase: state.position.turn.phase,
      choices: this.#choices,
      position: state.position,
      terrain: this.terrain,
    };
  });
  readonly marks = $derived(this.asked ? select.marks(this.asked, this.selection) : new Map<SpaceName, Mark>());
  readonly draft = $derived(this.asked ? select.draftChoice(this.asked, this.selection.draft) : null);
  readonly shown: State | null = $derived(this.past?.state ?? this.state);
  /** What each player has in the shown position. */
  readonly players: readonly Player[] = $derived(this.shown ? playersOf(this.shown.position) : []);
  /** Who decides in the shown position, or may still undo a finished turn; null: the game is over. */
  readonly active: Seat | null = $derived(
    this.shown && !this.shown.outcome
      ? (this.shown.held ?? this.shown.asked[0] ?? this.shown.position.turn.player)
      : null,
  );
  /** The seat of this browser whose finished turn is held open for an undo. */
  readonly heldByMe = $derived(this.yours.find((seat) => seat === this.state?.held) ?? null);
  /** From whose point of view the log is marked; null: a spectator's. */
  readonly me: Seat | null = $derived.by(() => {
    if (this.yours.length < 2) return this.yours[0] ?? null;
    const active = this.state?.held ?? this.state?.asked[0] ?? this.state?.position.turn.player ?? null;
    return active !== null && this.yours.includes(active) ? active : null;
  });
  readonly undoSeat = $derived(this.state?.undo.find((seat) => this.yours.includes(seat)) ?? null);
  /** The seat that may prepare conditional moves: in correspondence games, while others decide. */
  readonly prepares = $derived.by(() => {
    const { state, options } = this;
    if (!state || state.outcome || options?.clock?.days === undefined || this.seats.some(({ taken }) => !taken))
      return null;
    const decides = this.yours.some((seat) => state.asked.includes(seat) || state.held === seat);
    return decides ? null : (this.yours[0] ?? null);
  });
  readonly draws: Draws | undefined = $derived(
    this.state && !this.state.outcome && this.yours.length > 0
      ? {
          offers: this.state.draw_offers,
          spent: this.state.draw_spent ?? [],
          offer: (seat, offer) => this.offerDraw(seat, offer),
        }
      : undefined,
  );
  readonly endChoice = $derived(this.asked?.choices.find(({ action }) => action.type === 'end') ?? null);
  readonly mayUndo = $derived(this.past === null && (this.undoSeat !== null || this.selection.draft !== null));
  /** The seat whose last turn may be taken back if the others agree; null while there is something to undo. */
  readonly takeBackSeat = $derived(
    this.past || this.mayUndo ? null : (this.state?.take_back?.find((seat) => this.yours.includes(seat)) ?? null),
  );
  readonly mayEnd = $derived(this.heldByMe !== null || this.draft !== null || this.endChoice !== null);
  readonly onlyEnd = $derived(this.heldByMe !== null || (this.asked?.choices.length === 1 && this.endChoice !== null));

  /** Counts requests for earlier positions: an answer that arrives after a later one is dropped. */
  #looks = 0;
  /** The state before the first decision. */
  readonly #first = once(() => super.stateAfter(0));
  /** The first position, and that after each decision that has been looked at. */
  #positions: EkoPosition[] = [];
  /** *End turn* was pressed while a draft was on its way: the turn ends as soon as `end` is offered in it. */
  #ending: { seat: Seat; turn: number } | null = null;

  protected override get preferredPace(): number | null {
    return ekoPreferences.pace;
  }

  /** Steps through its game. `stay`, `leave`: as of a playback; `left`: called before another position is shown. */
  playback(stay: () => number | null, leave: () => void, left: () => void = () => undefined): Playback {
    const [n, all] = [() => this.past?.n ?? this.log.length, () => this.log.length];
    return new Playback({ n, all, show: (n) => (left(), this.look(n)), stay, leave }, this.clock.later);
  }

  tap(space: SpaceName, dragged = false): void {
    this.notice = null;
    if (this.past || this.waiting > 0) return;
    if (!this.asked) return this.#notYourTurn();
    const { selection, act, ask, only, idle } = select.tap(this.asked, this.selection, space, dragged);
    this.selection = selection;
    if (idle) this.notice = { kind: 'hint', code: 'pick-first', rule: null, message: '' };
    if (act) this.act(act);
    if (ask) this.explain(this.asked.seat, ask, only);
  }

  /** Says why an action is not possible. `only`: the only refusal that is shown. */
  protected explain(seat: Seat, action: Action, only?: string): void {
    const refusal = this.#position?.whyNot(seat, action);
    if (refusal && (only ?? refusal.code) === refusal.code) this.notice = { kind: 'why', ...refusal, message: '' };
  }

  deselect(): void {
    this.notice = null;
    this.#looks++;
    if (this.past) this.past = null;
    else this.selection = select.deselect(this.asked, this.selection);
  }

  choose(selection: Partial<Selection>): void {
    this.selection = { ...select.NOTHING, ...selection };
  }

  /** A turn that this finishes is held open for an undo, unless the player prefers otherwise. */
  act(choice: Choice, hold = !ekoPreferences.autoEnd): void {
    const { asked, waiting } = this;
    if (!asked || waiting > 0) return;
    this.send({ type: 'act', version: this.version, seat: asked.seat, action: choice.action, hold });
  }

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
  /** `n`: null: back to the present. */
  async look(n: number | null): Promise<void> {
    const look = ++this.#looks;
    if (n === null) {
      [this.past, this.step] = [null, null];
      return;
    }
    const present = n >= this.log.length;
    // a lost connection is announced elsewhere; the board stays as it is
    const state = present ? this.state : await this.stateAfter(n).catch(() => null);
    if (state === null || look !== this.#looks) return;
    this.past = { n: Math.min(n, this.log.length), state, step: this.#stepTo(n) };
  }

  /** The server is asked for the first position alone. */
  override async stateAfter(n: number): Promise<State> {
    if (this.onDevice) return super.stateAfter(n);
    const first = await this.#first();
    const positions = this.#positions;
    for (let at = positions.length; at <= n; at++)
      positions.push(at === 0 ? positionOf(first.position) : positions[at - 1]!.play(this.log[at - 1]!.action));
    const [position, left] = [positions[n]!, this.log[n - 1]?.left];
    return { ...first, position: jsonOf(position), asked: position.actors(), ...(left && { left, running: [] }) };
  }

  #stepTo(n: number): Step | null {
    const [at, before] = [this.past?.n ?? this.log.length, this.shown];
    const entry = this.log[Math.min(at, n)];
    if (!entry || !before || Math.abs(at - n) !== 1) return null;
    return { entry, before, back: n < at };
  }

  protected override beforeShow({ version, kept }: Shown<State>, log: readonly Entry[]): () => void {
    this.#positions.length = Math.min(this.#positions.length, 1 + (kept ?? 0));
    return kept === null ? this.#beforeTable(version) : this.#beforeUpdate(kept, log.slice(kept));
  }

  /** After a reconnect the selection stays if the table is unchanged. */
  #beforeTable(version: number): () => void {
    const same = version === this.version && this.state !== null;
    return () => {
      this.step = null;
      if (same) return;
      this.#ending = null;
      this.#begin();
    };
  }

  #beforeUpdate(keep: number, entries: readonly Entry[]): () => void {
    const before = this.state;
    const wasAsked = this.asked?.seat;
    const undone = keep < this.log.length;
    const offering = this.yours.filter(
      (seat) =>
        before?.draw_offers.includes(seat) && !this.sent.some((sent) => sent.type === 'draw' && sent.seat === seat),
    );
    const entry = entries.at(-1);
    return () => {
      const inTurn =
        !undone && !this.state?.outcome && before?.position.turn.number === this.state?.position.turn.number;
      const isDeclined = inTurn && offering.some((seat) => !this.state?.draw_offers.includes(seat));
      for (const seat of this.state?.draw_offers ?? [])
        if (before && !before.draw_offers.includes(seat))
          this.chat.note(
            this.yours.includes(seat) ? t('agreement.own.draw') : t('game.draw.by', { name: nameOf(this.seats, seat) }),
          );
      for (const seat of inTurn ? (before?.draw_offers ?? []) : [])
        if (!this.state?.draw_offers.includes(seat)) this.noteClosed(seat, this.agreement.closeOf(seat));
      // conditional moves follow at once: there is no picture of the position between
      this.step = entry && before && !undone && entries.length === 1 ? { entry, before } : null;
      if (undone && this.past && this.past.n >= this.log.length) this.past = null;
      // A draw offer does not change the choices: the selection stays.
      const same = !undone && !entry && wasAsked !== undefined && wasAsked === this.asked?.seat;
      if (!same) {
        this.#begin();
        this.#continueEnding();
      }
      if (isDeclined) this.notice = { kind: 'hint', code: 'draw-declined', rule: null, message: '' };
    };
  }

  protected override failed(failure: ErrorMessage): void {
    this.#ending = null;
    super.failed(failure);
  }

  #begin(): void {
    this.selection = this.asked ? select.initial(this.asked.choices) : select.NOTHING;
    if (this.asked) this.notice = null;
  }

  #continueEnding(): void {
    const ending = this.#ending;
    if (!ending) return;
    this.#ending = null;
    const { asked, endChoice } = this;
    const still = asked?.seat === ending.seat && asked.position.turn.number === ending.turn;
    if (still && endChoice)
      this.send({ type: 'act', version: this.version, seat: ending.seat, action: endChoice.action, hold: false });
  }

  #notYourTurn(): void {
    if (!this.state || this.state.outcome || this.heldByMe !== null) return;
    if (this.yours.length === 0) this.notice = { kind: 'hint', code: 'watching', rule: null, message: '' };
    else this.notice = { kind: 'why', code: 'not-your-turn', rule: 'E4.1', message: '' };
  }
}
