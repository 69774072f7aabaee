import type { ChallengeInfo } from '../../protocol/messages';
import type * as sent from '../../protocol/messages';
import { Connection, type ConnectionState, type Transport } from '../connection.svelte';

type InboxMessage = { type: 'challenge'; challenge: ChallengeInfo } | sent.ChallengeGoneEvent | { type: 'beat' };

/** Whether this account has to accept or decline. */
export const isAsked = ({ seats }: ChallengeInfo): boolean => seats.some(({ yours, accepted }) => yours && !accepted);

/** The invitations from and to this account; every page has one. */
export class Inbox extends Connection<InboxMessage, never> {
  invitations = $state.raw<readonly ChallengeInfo[]>([]);
  readonly asking = $derived(this.invitations.filter(isAsked));
  /** The invitations that were announced; after each reconnect the server sends them again. */
  readonly #announced = new Set<string>();
  readonly #arrived: (invitation: ChallengeInfo) => void;
  readonly #begun: (table: string, game: string) => void;

  /** `arrived`: called with a new invitation that asks this account. `begun`: called when the game of one begins. */
  constructor(transport: Transport, arrived: (invitation: ChallengeInfo) => void, begun: (table: string, game: string) => void) {
    super(transport);
    [this.#arrived, this.#begun] = [arrived, begun];
  }

  override receive(message: InboxMessage): void {
    if (message.type === 'challenge') this.#note(message.challenge);
    else if (message.type === 'challenge-gone') this.#settle(message.id, message.table);
  }

  protected override connectionChanged(state: ConnectionState): void {
    super.connectionChanged(state);
    if (state === 'open') this.invitations = [];
  }
  #note(invitation: ChallengeInfo): void {
    const is = ({ id }: ChallengeInfo): boolean => id === invitation.id;
    const known = this.invitations.some(is);
    this.invitations = known ? this.invitations.map((one) => (is(one) ? invitation : one)) : [...this.invitations, invitation];
    if (!isAsked(invitation) || this.#announced.has(invitation.id)) return;
    this.#announced.add(invitation.id);
    this.#arrived(invitation);
  }
  #settle(id: string, table: string | null): void {
    const settled = this.invitations.find((one) => one.id === id);
    this.invitations = this.invitations.filter((one) => one.id !== id);
    if (settled && table !== null) this.#begun(table, settled.game);
  }
}
