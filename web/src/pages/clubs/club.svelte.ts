import { Connection } from '../../net/connection.svelte';
import { type Change, patched } from '../../net/diff';
import type { ErrorMessage } from '../../net/protocol';
import type { ClubListed, ClubMember } from '../../protocol/messages';
import { inOrder, type LobbyTable, type Named } from '../lobby/lobby.svelte';

export interface ClubLine {
  /** Empty of a deleted account. */
  name: string;
  text: string;
  at: string;
}
/** What members see. */
export interface ClubSnapshot {
  about: Pick<ClubListed, 'name' | 'text' | 'open' | 'members'>;
  tables: Record<string, LobbyTable>;
  /** The latest messages by number. */
  lines: Record<string, ClubLine>;
  /** hidden: the messages of those whom the reader has blocked. */
  own: { role: ClubMember['role']; hidden: number[] };
}
export type ClubMessage = ({ type: 'club' } & ClubSnapshot) | { type: 'news'; change: Change } | ErrorMessage;

/** What the members of a club see live. */
export class LiveClub extends Connection<ClubMessage, never> {
  snapshot = $state.raw<ClubSnapshot | null>(null);

  readonly lines: readonly (ClubLine & { n: number })[] = $derived(
    Object.entries(this.snapshot?.lines ?? {})
      .map(([n, line]) => ({ ...line, n: Number(n) }))
      .filter(({ n }) => !this.snapshot?.own.hidden.includes(n))
      .sort((a, b) => a.n - b.n),
  );
  readonly #tables: readonly Named<LobbyTable>[] = $derived(inOrder(this.snapshot?.tables ?? {}));
  readonly free: readonly Named<LobbyTable>[] = $derived(this.#tables.filter(({ open }) => open));
  readonly running: readonly Named<LobbyTable>[] = $derived(this.#tables.filter(({ open }) => !open));

  override receive(message: ClubMessage): void {
    if (message.type === 'club') this.snapshot = message;
    else if (message.type === 'news') this.snapshot = patched(this.snapshot, message.change) as ClubSnapshot;
  }
}

const RANKS: Record<ClubMember['role'], number> = { owner: 3, organiser: 2, member: 1, banned: 0 };
const ROLES = ['owner', 'organiser', 'member', 'banned', null] as const;

/** The roles that one may give somebody in place of theirs; null: to remove them, or to end their ban. */
export function rolesFor(own: ClubMember['role'], theirs: ClubMember['role']): (ClubMember['role'] | null)[] {
  if (RANKS[own] < RANKS.organiser || RANKS[own] <= RANKS[theirs]) return [];
  if (theirs === 'banned') return [null];
  return ROLES.filter(
    (role) => role !== theirs && (role === null || RANKS[role] < RANKS[own] || (role === 'owner' && own === 'owner')),
  );
}
