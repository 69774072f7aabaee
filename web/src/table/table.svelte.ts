/** A table of any game as one browser sees it: connection, seats, state and messages on the way. Headless; each game has a subclass. */

import { positionAfter, recordAddress } from '../net/api';
import { type Clock, Connection, type ConnectionState, type Transport, transportTo } from '../net/connection.svelte';
import { gameOnDevice } from '../net/device';
import { checksum, patched } from '../net/diff';
import { created } from '../net/known';
import type {
  AbortInfo,
  Agreements,
  ChatOrder,
  CommonMessage,
  ConditionalMoves,
  ErrorMessage,
  Failure,
  Instead,
  NewTable,
  PaceVote,
  RematchState,
  Seat,
  SeatDecision,
  SeatInfo,
  TableOrder,
  Tried,
  Update,
  WholeTable,
} from '../net/protocol';
import { announce } from '../ui/announcer.svelte';
import { t } from '../ui/i18n.svelte';
import { heldAt } from '../ui/settings.svelte';
import { Agreement, asksLine, type Close, COUNTDOWN } from './agreements/agreement.svelte';
import { Chat, said, speaker } from './chat/chat.svelte';
import { partFor, release } from './deal';
import { nameOf } from './seats';

export interface Notice {
  kind: 'why' | 'error' | 'hint';
  code: string;
  rule: string | null;
  message: string;
}

/** A game that the page plays itself, at a table without a server. */
export interface OwnGame extends Partial<Pick<AnyTableState, 'recordAddress' | 'imported'>> {
  start(table: OwnTable): void;
  stop(): void;
  order(order: { type: string }): void;
  stateAfter?(n: number): Promise<unknown>;
}
/** The table of such a game. */
export type OwnTable = Pick<AnyTableState, 'connection' | 'show' | 'refuse'>;

/** What is shown next. kept: how many entries of the log; null: it does not follow from what is shown. */
export interface Shown<State> {
  version: number;
  state: State;
  kept: number | null;
}

/** What the page uses of a table of any game. */
export type AnyTableState = Omit<TableState<unknown, AnyState, unknown, { type: string }>, 'receive'>;

interface AnyState {
  rematch: RematchState;
  outcome: { reason: string; winners?: readonly Seat[] } | null;
  /** Present while the players may abort the game. */
  abort?: AbortInfo | null;
}

export abstract class TableState<
  Options,
  State extends AnyState,
  Entry,
  Order extends { type: string },
  Board = unknown,
> extends Connection<
  WholeTable<Options, State, Entry, Board> | Update<State, Entry> | CommonMessage,
  Order | TableOrder | ChatOrder
> {
  id = $state('');
  game = $state('');
  version = $state(0);
  seats = $state.raw<readonly SeatInfo[]>([]);
  /** A bot has taken over the last seat of this browser for good; `time`: as its clock ran out while the page was open. */
  out = $state<'time' | 'left' | null>(null);
  options = $state.raw<Options | null>(null);
  board = $state.raw<Board | null>(null);
  state = $state.raw<State | null>(null);
  log = $state.raw<Entry[]>([]);
  bots = $state<number | null>(null);
  paceVotes = $state.raw<readonly PaceVote[]>([]);
  paused = $state(false);
  notice = $state.raw<Notice | null>(null);
  conditionalMoves = $state.raw<ConditionalMoves>({});
  /** Somebody has declined the rematch that this browser asked for. */
  isRematchDeclined = $state(false);
  /** The game ended while the page showed it, and its result has not been shown yet. */
  sawEnd = false;
  /** When the state arrived, by the page's clock: clocks run on from then. */
  receivedAt = $state(0);

  readonly yours: readonly Seat[] = $derived(this.seats.filter(({ yours }) => yours).map(({ seat }) => seat));
  readonly isAlone: boolean = $derived(
    this.seats.length > 0 && this.seats.every(({ kind, yours }) => yours || kind === 'bot'),
  );
  readonly #isTimed = $derived((this.options as { clock?: object | null } | null)?.clock != null);
  readonly isRated: boolean = $derived((this.options as { rated?: boolean } | null)?.rated === true);
  /** Whether its game is over and something was decided in it. */
  readonly isReviewed: boolean = $derived(
    this.log.length > 0 && this.state?.outcome != null && this.state.outcome.reason !== 'aborted',
  );
  /** Whether the game waits to be drawn from a seed to which its players add. */
  readonly isDealOpen: boolean = $derived((this.options as { deal?: string } | null)?.deal === 'open');
  readonly hasCompany: boolean = $derived(!this.isAlone || this.yours.length === 0);
  /** Whether the page plays its game without a server. */
  readonly onDevice: boolean = $derived(gameOnDevice(this.id) !== null);
  /** Only bots play here. */
  readonly isBots: boolean = $derived(this.seats.length > 0 && this.seats.every(({ kind }) => kind === 'bot'));

  /** An exhibition: bots play for all viewers, and nobody pauses them or sets their pace. */
  readonly isExhibition: boolean = $derived(this.isBots && this.state?.rematch.tournament === true);
  readonly mayPause: boolean = $derived(this.isBots && !this.isExhibition);

  readonly chat: Chat;
  readonly agreement: Agreement;
  readonly clock: Clock;
  readonly #own: OwnGame | null;
  /** Messages that the server has not answered. */
  protected sent = $state.raw<readonly ((Order | TableOrder) & { key: string })[]>([]);
  /** The newest version that the server has acknowledged. */
  protected stored = $state(0);
  /** The part of the state that is the same for all viewers; updates are changes of it. */
  #shared: State | null = null;
  /** An update did not fit, and the whole table was requested. */
  #needsWhole = false;
  #resigned = false;
  /** The seat for which this browser has added its part. */
  #partOf: Seat | undefined;
  /** The length of the log when the open proposal was made: if it is shorter now, a proposal to take back was carried out. */
  #proposedAt = 0;

  /** Of a table of a server, or of a game that the page plays itself. */
  constructor(at: Transport | OwnGame) {
    const transport = 'order' in at ? transportTo('none') : at;
    super(transport);
    this.#own = 'order' in at ? at : null;
    this.clock = transport;
    this.chat = new Chat((order) => this.transmit(order));
    this.agreement = new Agreement(
      () => this.seats,
      (order) => this.send(order),
      transport.later,
    );
  }

  get recordAddress(): string {
    return this.#own?.recordAddress ?? recordAddress(this.id);
  }
  /** What all saw after so many entries of the log. */
  stateAfter(n: number): Promise<State> {
    return (this.#own?.stateAfter?.(n) as Promise<State> | undefined) ?? positionAfter(this.id, n);
  }
  /** The request by which the finished game of a device becomes a table of the server; null: it can't. */
  get imported(): NewTable | null {
    return this.#own?.imported ?? null;
  }

  override open(): void {
    if (!this.#own) return super.open();
    this.connection = 'open';
    this.#own.start(this);
  }
  override close(): void {
    super.close();
    this.#own?.stop();
  }
  protected override connectionChanged(state: ConnectionState): void {
    super.connectionChanged(state);
    if (state !== 'open') this.chat.lost();
  }

  sit(seat: Seat, name: string): void {
    this.send({ type: 'sit', seat, ...(name && { name }), ...(this.isDealOpen && { gives_part: true }) });
  }
  stand(seat: Seat): void {
    this.send({ type: 'stand', seat });
  }
  rename(seat: Seat, name: string): void {
    this.send({ type: 'rename', seat, name });
  }
  resign(seat: Seat): void {
    this.#resigned = true;
    this.send({ type: 'resign', version: this.version, seat });
  }
  abort(seat: Seat): void {
    this.send({ type: 'abort', seat });
  }
  berserk(seat: Seat): void {
    this.send({ type: 'berserk', seat });
  }
  rematch(absent?: Record<string, Instead>): void {
    const agreed = this.state?.rematch.agreed ?? [];
    for (const seat of this.yours)
      if (absent || !agreed.includes(seat)) this.send({ type: 'rematch', seat, ...(absent && { absent }) });
  }
  declineRematch(): void {
    const [seat] = this.yours;
    if (seat !== undefined) this.send({ type: 'rematch', seat, wanted: false });
  }
  fill(free: Instead): void {
    const [seat] = this.yours;
    if (seat !== undefined) this.send({ type: 'fill', seat, free });
  }
  /** A proposal where several people play: it takes effect once all agree. */
  pace(milliseconds: number): void {
    if (this.yours.length > 0 || this.mayPause) this.send({ type: 'pace', milliseconds });
  }
  addConditionalMoves(seat: Seat, add: readonly SeatDecision[]): void {
    this.send({ type: 'edit_conditional_moves', version: this.version, seat, add });
  }
  dropConditionalMoves(seat: Seat, drop: number): void {
    this.send({ type: 'edit_conditional_moves', version: this.version, seat, drop });
  }
  pause(paused: boolean): void {
    this.send({ type: 'pause', paused });
  }

  override receive(message: WholeTable<Options, State, Entry, Board> | Update<State, Entry> | CommonMessage): void {
    if ('key' in message && message.key !== undefined) this.answered(message.key);
    switch (message.type) {
      case 'table':
        return this.#enter(message);
      case 'update':
        this.#follow(message);
        this.agreement.declined = null;
        return;
      case 'declined':
        this.agreement.declined = message.seat;
        return;
      case 'seats':
        this.#seat(message.seats);
        return;
      case 'conditional_moves':
        this.conditionalMoves = message.conditional_moves;
        return;
      case 'ack':
        this.stored = Math.max(this.stored, message.version);
        return;
      case 'error':
        return this.chat.refused(message) ? undefined : this.failed(message);
      case 'chat':
        return this.chat.show(message);
      case 'agreements':
        this.#noteAgreements(message);
        this.agreement.declined = null;
        if (this.agreement.receive(message)) this.resumeAfter(COUNTDOWN);
        else if (this.agreement.isPaused) this.resumeAfter(null);
        return;
      case 'said':
        if (!message.line.yours)
          announce(t('app.named', { name: speaker(message.line, this.seats), text: said(message.line) }));
        return this.chat.receive(message.line);
      case 'pace':
        this.bots = message.milliseconds;
        this.paceVotes = message.pace_votes ?? [];
        this.paused = message.paused ?? false;
    }
  }

  /** Milliseconds between the moves of bots that this browser prefers; null: the server's default. */
  protected get preferredPace(): number | null {
    return null;
  }

  /** Shows a table of this page. follows: by decisions, from what is shown. */
  show(table: Tried['table'], follows: boolean): void {
    const whole = table as unknown as WholeTable<Options, State, Entry, Board>;
    // nobody is away from a table of one person
    const seats = whole.seats.map((seat) => ({ ...seat, online: true }));
    this.#enter({ ...whole, seats, version: this.version + 1 }, follows && this.state ? this.log.length : null);
  }
  /** Says why this page has not carried out what was ordered. */
  refuse(failure: Failure): void {
    this.failed({ type: 'error', ...failure });
  }

  /** Called before something is shown. Returns what to do afterwards. */
  protected abstract beforeShow(shown: Shown<State>, log: readonly Entry[]): () => void;

  protected send(order: Order | TableOrder): void {
    if (this.#own) return this.#own.order(order);
    const key = this.transmit(order);
    this.sent = [...this.sent, { ...order, key }];
  }
  protected answered(key: string): void {
    this.sent = this.sent.filter((sent) => sent.key !== key);
  }
  protected failed({
    code,
    rule = null,
    refusal,
    message,
  }: Omit<ErrorMessage, 'rule'> & { rule?: string | null }): void {
    if (code === 'table/no-part') return this.#releasePart();
    this.notice = { kind: refusal ? 'why' : 'error', code: refusal ?? code, rule, message };
  }

  #enter(message: WholeTable<Options, State, Entry, Board>, kept: number | null = null): void {
    const same = this.state !== null && message.version === this.version;
    this.id = message.id;
    this.game = message.game;
    this.options = message.options;
    this.board = message.board ?? null;
    this.stored = message.version;
    this.bots = message.pace;
    this.paceVotes = message.pace_votes ?? [];
    this.paused = message.paused ?? false;
    this.#needsWhole = false;
    if (message.agreements) this.agreement.receive(message.agreements);
    this.chat.open(message.chat ?? false);
    this.#show(message, message.state, message.log, kept);
    // A browser's preference applies to solo games, and to games of bots that this page has created.
    const pace = this.preferredPace;
    const bots = this.seats.some(({ kind }) => kind === 'bot');
    if (
      !this.#own &&
      !same &&
      bots &&
      this.isAlone &&
      (!this.isBots || created.has(this.id)) &&
      pace !== null &&
      pace !== message.pace
    )
      this.pace(pace);
  }

  /** null: clocks stand until further notice. */
  protected resumeAfter(milliseconds: number | null): void {
    if (milliseconds !== null) this.receivedAt = performance.now() + milliseconds;
  }

  #seat(seats: readonly SeatInfo[]): void {
    const isLeft = (seat: Seat): boolean => seats[seat]?.kind === 'bot' && seats[seat].substitute_until === undefined;
    const plays = this.yours.length > 0;
    if (seats.some(({ yours }) => yours)) this.out = null;
    else if ((plays ? this.yours : heldAt(this.id)).some(isLeft))
      this.out ??= plays && this.#isTimed && !this.#resigned ? 'time' : 'left';
    this.#noteChanges(seats);
    this.seats = seats;
    void this.#givePart();
  }
  /** Adds a part to the seed of the deal, once the page knows the server's commitment. */
  async #givePart(): Promise<void> {
    const [seat] = this.yours;
    if (!this.isDealOpen || seat === this.#partOf) return;
    if (seat === undefined) return this.#releasePart();
    this.#partOf = seat;
    try {
      const part = await partFor(this.id, seat);
      if (this.yours.includes(seat)) this.send({ type: 'give_part', seat, part });
    } catch {
      this.#partOf = undefined; // the next time that the table is shown
    }
  }
  #releasePart(): void {
    this.#partOf = undefined;
    release(this.id);
  }
  /** Notes in the chat who came and who left. */
  #noteChanges(seats: readonly SeatInfo[]): void {
    for (const before of this.seats) {
      const now = seats[before.seat];
      if (!now || now.yours || before.yours) continue;
      if (now.kind === 'bot' && before.kind !== 'bot')
        this.chat.note(t('chat.happened.bot', { name: nameOf(this.seats, before.seat) }));
      else if (now.taken && !before.taken) this.chat.note(t('chat.happened.joined', { name: nameOf(seats, now.seat) }));
      else if (!now.taken && before.taken)
        this.chat.note(t('chat.happened.left', { name: nameOf(this.seats, before.seat) }));
    }
  }

  /** Notes proposals, their results and pauses in the chat. */
  #noteAgreements(message: Agreements): void {
    const { agreement } = this;
    const close = this.state?.outcome == null && this.log.length >= this.#proposedAt ? agreement.closed(message) : null;
    if (close !== null) this.noteClosed(agreement.proposal?.by ?? 0, close);
    const { proposal, pause } = message;
    if (proposal && proposal.number !== agreement.proposal?.number) {
      this.#proposedAt = this.log.length;
      this.chat.note(asksLine(proposal, this.seats, this.yours.includes(proposal.by)));
    }
    const paused = pause !== null && pause.until === null;
    if (paused !== agreement.isPaused) this.chat.note(t(paused ? 'agreement.paused' : 'chat.happened.resumed'));
  }
  /** Notes in the chat how a proposal or an offer of a seat ended. */
  protected noteClosed(seat: Seat, close: Close): void {
    const who = close === 'declined' ? (this.agreement.declined ?? seat) : seat;
    this.chat.note(t(`chat.happened.${close}`, { name: nameOf(this.seats, who) }));
  }
  /** Notes in the chat which of two players resigned; of more, a bot plays on. */
  #noteEnd({ reason, winners }: NonNullable<State['outcome']>): void {
    if (reason === 'aborted') this.chat.note(t('outcome.aborted'));
    if (reason !== 'resignation') return;
    const { seat, yours } = this.seats.find(({ seat }) => !winners?.includes(seat)) ?? {};
    if (seat !== undefined)
      this.chat.note(
        t(yours ? 'chat.happened.resigned.you' : 'chat.happened.resigned', { name: nameOf(this.seats, seat) }),
      );
  }

  #follow(message: Update<State, Entry>): void {
    if (this.#needsWhole) return;
    const { version, base = version - 1, keep = this.log.length, change, check, entries } = message;
    const shared = base === this.version ? (patched(this.#shared ?? {}, change) as State) : null;
    if (shared !== null && checksum(shared) === check)
      return this.#show(message, shared, [...this.log.slice(0, keep), ...entries], keep);
    this.#needsWhole = true;
    this.send({ type: 'table' });
  }

  #show(
    message: WholeTable<Options, State, Entry, Board> | Update<State, Entry>,
    shared: State,
    log: Entry[],
    kept: number | null,
  ): void {
    const state = { ...shared, ...message.own };
    const ended = this.state && !this.state.outcome ? state.outcome : null;
    const asked = this.isRematchDeclined || this.state?.rematch.agreed.some((seat) => this.yours.includes(seat));
    this.isRematchDeclined = asked === true && state.rematch.agreed.length === 0;
    const afterwards = this.beforeShow({ version: message.version, state, kept }, log);
    if (message.seats) this.#seat(message.seats);
    if (message.options) this.options = message.options as Options;
    this.version = message.version;
    this.#shared = shared;
    this.conditionalMoves =
      (message.own as { conditional_moves?: ConditionalMoves } | undefined)?.conditional_moves ?? {};
    this.log = log;
    this.state = state;
    this.receivedAt = performance.now();
    if (ended) this.#noteEnd(ended);
    this.sawEnd ||= ended !== null;
    afterwards();
  }
}
