import { Connection, type ConnectionState, type Transport } from '../../net/connection.svelte';
import type * as sent from '../../protocol/messages';
import type { ChallengeInfo, TournamentCall } from '../../protocol/messages';

type InboxMessage =
  | { type: 'challenge'; challenge: ChallengeInfo }
  | sent.ChallengeGoneEvent
  | sent.TournamentsEvent
  | { type: 'beat' };

/** Whether this account has to accept or decline. */
export const isAsked = ({ seats }: ChallengeInfo): boolean => seats.some(({ yours, accepted }) => yours && !accepted);

/** A round of a tournament that waits for this account. `ends`: by this machine's clock. */
export type Call = TournamentCall & { ends: number };

/** The invitations from and to this account, and the rounds of tournaments that wait for it; every page has one. */
export class Inbox extends Connection<InboxMessage, never> {
  invitations = $state.raw<readonly ChallengeInfo[]>([]);
  calls = $state.raw<readonly Call[]>([]);
  readonly asking = $derived(this.invitations.filter(isAsked));
  /** The invitations and tables that were announced; after each reconnect the server sends them again. */
  readonly #announced = new Set<string>();
  readonly #arrived: (invitation: ChallengeInfo) => void;
  readonly #begun: (table: string, game: string) => void;
  readonly #called: (call: Call, table: string) => void;

  /**
   * `arrived`: called with a new invitation that asks this account. `begun`: called when the game of one begins. `called`: called when a
   * game of a tournament waits for this account.
   */
  constructor(
    transport: Transport,
    arrived: (invitation: ChallengeInfo) => void,
    begun: (table: string, game: string) => void,
    called: (call: Call, table: string) => void,
  ) {
    super(transport);
    [this.#arrived, this.#begun, this.#called] = [arrived, begun, called];
  }

  override receive(message: InboxMessage): void {
    if (message.type === 'challenge') this.#note(message.challenge);
    else if (message.type === 'challenge-gone') this.#settle(message.id, message.table);
    else if (message.type === 'tournaments') this.#call(message.calls);
  }

  protected override connectionChanged(state: ConnectionState): void {
    super.connectionChanged(state);
    if (state === 'open') [this.invitations, this.calls] = [[], []];
  }
  #note(invitation: ChallengeInfo): void {
    const is = ({ id }: ChallengeInfo): boolean => id === invitation.id;
    const known = this.invitations.some(is);
    this.invitations = known
      ? this.invitations.map((one) => (is(one) ? invitation : one))
      : [...this.invitations, invitation];
    if (isAsked(invitation) && this.#isNew(invitation.id)) this.#arrived(invitation);
  }
  #call(calls: readonly TournamentCall[]): void {
    this.calls = calls.map((call) => ({ ...call, ends: Date.now() + call.left }));
    for (const call of this.calls) if (call.table !== null && this.#isNew(call.table)) this.#called(call, call.table);
  }
  #isNew(id: string): boolean {
    const isNew = !this.#announced.has(id);
    this.#announced.add(id);
    return isNew;
  }
  #settle(id: string, table: string | null): void {
    const settled = this.invitations.find((one) => one.id === id);
    this.invitations = this.invitations.filter((one) => one.id !== id);
    if (settled && table !== null) this.#begun(table, settled.game);
  }
}
