/** What an exercise shows without a table of the server. */
import type { Card, SeatInfo, State } from '../protocol';

/** Seats named by their colours, one of them the reader's. */
export function seatsOf(players: number, own: number): SeatInfo[] {
  return Array.from({ length: players }, (_, seat) => ({ seat, name: '', colour: seat, kind: 'here', bot: null, taken: true, yours: seat === own, online: true }));
}

/** Cards lie down before seat 0, which holds a hand. */
export function streamState(round: number, zone: readonly Card[], hand: readonly Card[], pile: number): State {
  const turn = { round, dealer: 1, player: 1, last: 1, phase: 'play' as const };
  const position = { players: 2, target: 25, pile, zone: [...zone], sizes: [hand.length, 6], set_aside: [0, 0], scores: [0, 0], drew: [], turn };
  const rest = { stage: 'race' as const, remaining: null, of: null, ready: [], decided: [], claim: null, receipt: null, rounds: [], outcome: null, rematch: { agreed: [], table: null } };
  return { position, ...rest, hands: { '0': { hand: [...hand], blocked: [], aside: [] } } };
}
