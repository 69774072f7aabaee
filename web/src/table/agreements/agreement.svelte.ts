/** Agreements at a table: proposals, absent players, pauses. The server says what can be proposed, and carries out what all accept. */

import type { Later } from '../../net/connection.svelte';
import type { Agreements, Seat, SeatInfo, TableOrder, What } from '../../net/protocol';
import type { ProposalInfo } from '../../protocol/messages';
import { plural, t } from '../../ui/i18n.svelte';
import { nameOf } from '../seats';

/** Milliseconds between the end of a pause and the clocks. */
export const COUNTDOWN = 3000;
const SECOND = 1000;
/** Milliseconds that a proposal with an expiry is shown. */
const LASTS = 120_000;

/** The offers of a draw at a table of a game that can end by agreement. */
export interface Draws {
  offers: readonly Seat[];
  /** Who can't offer another in this turn. */
  spent: readonly Seat[];
  offer(seat: Seat, offered: boolean): void;
}

export const NOTHING: Agreements = { proposal: null, may: [], absent: [], timed_out: [], substitutes: [], pause: null };

/** What a proposal asks for, in a sentence. own: whether it is the reader's. */
export function asksLine({ what, by, about, days }: ProposalInfo, seats: readonly SeatInfo[], own: boolean): string {
  const words = {
    name: nameOf(seats, by),
    ...(about !== undefined && { about: nameOf(seats, about) }),
    ...(days !== undefined && { days: plural('clock.days', days) }),
  };
  return own ? t(`agreement.own.${what}`, words) : t(`agreement.asks.${what}`, words);
}

/** How a proposal ended without being carried out: by whom, as far as is known. */
export type Close = 'declined' | 'you-declined' | 'withdrawn' | 'you-withdrew' | 'closed';

export class Agreement {
  state = $state.raw<Agreements>(NOTHING);
  /** Seconds until the game resumes; 0: it runs. */
  seconds = $state(0);
  /** Absent players whom this player chose to wait for. */
  waited = $state.raw<readonly Seat[]>([]);

  readonly isPaused: boolean = $derived(this.state.pause !== null && this.state.pause.until === null);
  readonly proposal = $derived(this.state.proposal);

  readonly #seats: () => readonly SeatInfo[];
  readonly #send: (order: TableOrder) => void;
  readonly #later: Later;
  #cancelExpiry: (() => void) | null = null;
  /** The seat that has just declined or withdrawn a proposal or an offer, before the message in which that is gone. */
  declined: Seat | null = null;

  constructor(seats: () => readonly SeatInfo[], send: (order: TableOrder) => void, later: Later) {
    this.#seats = seats;
    this.#send = send;
    this.#later = later;
  }

  get yours(): readonly Seat[] {
    return this.#seats()
      .filter(({ yours }) => yours)
      .map(({ seat }) => seat);
  }
  get asked(): Seat | null {
    const { proposal } = this;
    return proposal === null
      ? null
      : (this.yours.find((seat) => proposal.asked.includes(seat) && !proposal.agreed.includes(seat)) ?? null);
  }
  get missed(): readonly { seat: Seat; timedOut: boolean }[] {
    const { absent, timed_out } = this.state;
    const others = (seat: Seat): boolean => !this.yours.includes(seat) && !this.waited.includes(seat);
    return [
      ...absent.map((seat) => ({ seat, timedOut: false })),
      ...timed_out.filter((seat) => !absent.includes(seat)).map((seat) => ({ seat, timedOut: true })),
    ].filter(({ seat }) => others(seat));
  }
  /** The seat of this browser's player at which a substitute bot plays. */
  get substituted(): Seat | null {
    return (
      this.#seats().find(({ substitute_until, taken, yours }) => substitute_until !== undefined && taken && !yours)
        ?.seat ?? null
    );
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
  wait(seat: Seat): void {
    this.waited = [...this.waited, seat];
  }

  /** Returns whether a pause is about to end. */
  receive({ proposal, may, absent, timed_out, substitutes, pause }: Agreements): boolean {
    const ends = this.isPaused && pause?.until != null;
    this.waited = this.waited.filter((seat) => absent.includes(seat) || timed_out.includes(seat));
    if (proposal?.number !== this.proposal?.number) this.#expire(proposal?.until !== undefined);
    this.state = { proposal, may, absent, timed_out, substitutes, pause };
    if (ends) this.#count(COUNTDOWN / SECOND);
    return ends;
  }

  /**
   * How the open proposal has ended, now that these agreements follow; null: it is still open, was carried out, or ran out of time.
   * The state of the game arrives before them.
   */
  closed({ proposal, pause, substitutes, may }: Agreements): Close | null {
    const before = this.proposal;
    if (before === null || proposal?.number === before.number) return null;
    const { what, about, by, until } = before;
    const isDone: Partial<Record<What, boolean>> = {
      pause: pause !== null,
      bot: about !== undefined && substitutes.includes(about),
      hands: !may.includes('hands'),
      adjourn: !may.includes('adjourn'),
    };
    if (isDone[what] || (until !== undefined && Date.parse(until) <= Date.now())) return null;
    return this.closeOf(by);
  }
  /** How a proposal of a seat has ended without being carried out. */
  closeOf(by: Seat): Close {
    if (this.declined === null) return 'closed';
    const own = this.yours.includes(this.declined);
    if (this.declined === by) return own ? 'you-withdrew' : 'withdrawn';
    return own ? 'you-declined' : 'declined';
  }

  #expire(ends: boolean): void {
    this.#cancelExpiry?.();
    this.#cancelExpiry = ends ? this.#later(() => (this.state = { ...this.state, proposal: null }), LASTS) : null;
  }
  #count(seconds: number): void {
    this.seconds = seconds;
    if (seconds > 0) this.#later(() => this.#count(seconds - 1), SECOND);
  }
}
