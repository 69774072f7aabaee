/** What people agree on at a table: proposals, who is absent, a rest. The server says what may be proposed, and does what all want. */
import type { Consent, RoomIntent, Seat, SeatInfo, What } from '../protocol';

/** Milliseconds between the word that a game goes on and its clocks. */
export const COUNTDOWN = 3000;
const SECOND = 1000;
/** Milliseconds for which a proposal that can be forgotten is shown. */
const LASTS = 120_000;

const NOTHING: Consent = { proposal: null, may: [], away: [], silent: [], kept: [], rest: null };

type Later = (task: () => void, milliseconds: number) => () => void;

export class Agreement {
  told = $state.raw<Consent>(NOTHING);
  /** Seconds until the game goes on; 0: it does, or nobody knows. */
  seconds = $state(0);
  /** Those for whom this player would rather wait. */
  waited = $state.raw<readonly Seat[]>([]);

  readonly rests: boolean = $derived(this.told.rest !== null && this.told.rest.until === null);
  readonly proposal = $derived(this.told.proposal);

  readonly #seats: () => readonly SeatInfo[];
  readonly #send: (intent: RoomIntent) => void;
  readonly #later: Later;
  #forget: (() => void) | null = null;

  constructor(seats: () => readonly SeatInfo[], send: (intent: RoomIntent) => void, later: Later) {
    this.#seats = seats;
    this.#send = send;
    this.#later = later;
  }

  /** The seats of this browser. */
  get yours(): readonly Seat[] {
    return this.#seats().filter(({ yours }) => yours).map(({ seat }) => seat);
  }
  /** The seat of this browser that has yet to answer what is proposed; null: none has. */
  get asked(): Seat | null {
    const { proposal } = this;
    return proposal === null ? null : (this.yours.find((seat) => proposal.asked.includes(seat) && !proposal.agreed.includes(seat)) ?? null);
  }
  /** Who is missed, and whether their line is open all the same. */
  get missed(): readonly { seat: Seat; silent: boolean }[] {
    const { away, silent } = this.told;
    const others = (seat: Seat): boolean => !this.yours.includes(seat) && !this.waited.includes(seat);
    return [...away.map((seat) => ({ seat, silent: false })), ...silent.filter((seat) => !away.includes(seat)).map((seat) => ({ seat, silent: true }))].filter(({ seat }) => others(seat));
  }
  /** The seat that a bot keeps for this browser. */
  get kept(): Seat | null {
    return this.#seats().find(({ kept, taken, yours }) => kept !== undefined && taken && !yours)?.seat ?? null;
  }

  propose(seat: Seat, what: What, more: { about?: Seat; days?: number } = {}): void {
    this.#send({ type: 'propose', seat, what, ...more });
  }
  vote(agree: boolean): void {
    const { proposal } = this;
    const seat = this.asked ?? this.yours.find((own) => own === proposal?.by);
    if (proposal !== null && seat !== undefined) this.#send({ type: 'vote', seat, number: proposal.number, agree });
  }
  goOn(): void {
    const [seat] = this.yours;
    if (seat !== undefined) this.#send({ type: 'go_on', seat });
  }
  /** Says nothing more of somebody who is missed. */
  wait(seat: Seat): void {
    this.waited = [...this.waited, seat];
  }

  /** Takes what the server tells. Returns whether a rest is about to end. */
  hear({ proposal, may, away, silent, kept, rest }: Consent): boolean {
    const ends = this.rests && rest?.until != null;
    this.waited = this.waited.filter((seat) => away.includes(seat) || silent.includes(seat));
    if (proposal?.number !== this.proposal?.number) this.#remember(proposal?.until !== undefined);
    this.told = { proposal, may, away, silent, kept, rest };
    if (ends) this.#count(COUNTDOWN / SECOND);
    return ends;
  }

  #remember(ends: boolean): void {
    this.#forget?.();
    this.#forget = ends ? this.#later(() => (this.told = { ...this.told, proposal: null }), LASTS) : null;
  }
  #count(seconds: number): void {
    this.seconds = seconds;
    if (seconds > 0) this.#later(() => this.#count(seconds - 1), SECOND);
  }
}
