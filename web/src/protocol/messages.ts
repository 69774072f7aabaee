/* Generated from the models in src/ekoes/protocol by `python -m tools.protocol`; do not edit. */

/** End a rated game that does not count yet, without a result. */
export interface Abort {
  key: string;
  type: 'abort';
  seat: number;
}
/** Players may abort the rated game. until: when it is aborted unless one of them decides; null: never. */
export interface AbortInfo {
  until: string | null;
}
/** The order is stored. version: of the table after it; absent in the lobby. */
export interface AckMessage {
  type: 'ack';
  key: string;
  version?: number;
}
/** Play an action; hold: if it finishes the turn, keep the turn open until ``EndTurn``. */
export interface Act {
  key: string;
  version: number;
  seat: number;
  type: 'act';
  action: Json;
  hold?: boolean;
}
/** The agreements at a table: open proposal, absent players, seats held by bots, pause. */
export interface Agreements {
  proposal: ProposalInfo | null;
  may: ('bot' | 'draw' | 'take_back' | 'pause' | 'adjourn' | 'hands')[];
  away: number[];
  silent: number[];
  kept: number[];
  rest: RestInfo | null;
}
/** A proposal to the other players. by: the seat that made it. asked: the seats that vote. */
export interface ProposalInfo {
  number: number;
  what: 'bot' | 'draw' | 'take_back' | 'pause' | 'adjourn' | 'hands';
  by: number;
  about?: number;
  days?: number;
  agreed: number[];
  asked: number[];
  until?: string;
}
/** A pause. until: when the game resumes; null: no one has resumed it yet. */
export interface RestInfo {
  until: string | null;
}
/** Analyse a position. after: the number of log entries; None: the current position. */
export interface Analyse {
  type: 'analyse';
  key: string;
  after?: number;
  seconds?: number;
  lines?: number;
}
/** An intermediate (``info``) or final (``result``) analysis of a position. */
export interface AnalysisMessage {
  type: 'analysis';
  key: string;
  after: number;
  seconds: number;
  info?: Json;
  result?: Json;
}
/** A heartbeat. */
export interface BeatMessage {
  type: 'beat';
}
/** A bot that fills the free seats. after: seconds of waiting. */
export interface Bots {
  bot: string;
  after: number;
}
/** A challenge to or from the account. */
export interface ChallengeEvent {
  type: 'challenge';
  challenge: ChallengeInfo;
}
/** An open challenge. yours: made by the viewer. ends: when it expires. */
export interface ChallengeInfo {
  id: string;
  by: string;
  yours: boolean;
  game: string;
  options: Json;
  clock: Json | null;
  rated: boolean;
  seats: ChallengeSeatInfo[];
  ends: string;
}
/** A seat of a challenge. accepted: it needs no answer any more. */
export interface ChallengeSeatInfo {
  name: string;
  bot: string | null;
  yours: boolean;
  accepted: boolean;
}
/** A challenge is closed. table: of the game, if it was accepted. */
export interface ChallengeGoneEvent {
  type: 'challenge-gone';
  id: string;
  reason: 'accepted' | 'declined' | 'cancelled' | 'expired' | 'failed';
  table: string | null;
}
/** A chat line. */
export interface ChatLine {
  n: number;
  room: 'all' | 'players' | 'watchers';
  seat: number | null;
  name: string;
  yours: boolean;
  account?: true;
  program?: true;
  text?: string;
  phrase?: string;
  at: string;
}
/** The chat as the viewer sees it. */
export interface ChatMessage {
  type: 'chat';
  room: 'all' | 'players' | 'watchers';
  lines: ChatLine[];
  muted: number[];
  hides: number;
  silenced: string | null;
}
/**
 * A clock: seconds for the game plus an increment for each turn, or days for each turn.
 *
 * up: what happens when a player's time is up. ``lose``: they lose, as by resigning; ``bot``: a bot plays
 * on for them; ``pass``: their turn is passed.
 */
export interface ClockPlan {
  base?: number;
  increment?: number;
  days?: number;
  up?: 'lose' | 'bot' | 'pass';
}
/** The agreements changed. */
export interface ConsentMessage {
  proposal: ProposalInfo | null;
  may: ('bot' | 'draw' | 'take_back' | 'pause' | 'adjourn' | 'hands')[];
  away: number[];
  silent: number[];
  kept: number[];
  rest: RestInfo | null;
  type: 'consent';
}
/** Offer a draw or agree to one, or (offer false) withdraw or decline. */
export interface Draw {
  key: string;
  version: number;
  seat: number;
  type: 'draw';
  offer: boolean;
}
/** Confirm a held turn. */
export interface EndTurn {
  key: string;
  version: number;
  seat: number;
  type: 'end_turn';
}
/** A message was refused; nothing was done. */
export interface ErrorMessage {
  type: 'error';
  key?: string;
  code: string;
  rule?: string;
  refusal?: string;
  field?: string;
  scope?: string;
  retry_after?: number;
  until?: string;
  message: string;
}
/** Start with free seats; only the host may. */
export interface Fill {
  key: string;
  type: 'fill';
  seat: number;
  free: 'bot' | 'out';
}
/**
 * Add a variation of conditional moves, or drop one by its number.
 *
 * A variation begins at the current position and ends with a decision of the seat. Other players don't
 * learn of it, not even by the version. version: of the table for which it was made.
 */
export interface Foresee {
  key: string;
  type: 'foresee';
  version: number;
  seat: number;
  add?: Foreseen[];
  drop?: number;
}
/** A decision in a variation of conditional moves, of any seat. */
export interface Foreseen {
  seat: number;
  action: Json;
}
/** A game of the account runs or is over. seats: those of the account. */
export interface GameEvent {
  type: 'started' | 'over';
  table: string;
  game: string;
  seats: number[];
}
/** End an agreed pause. */
export interface GoOn {
  key: string;
  type: 'go_on';
  seat: number;
}
/** Set a guest's name in the lobby; accounts keep their own. */
export interface Hello {
  type: 'hello';
  key: string;
  name: string;
}
/** Act at a race table; the game reads the action. */
export interface Intent {
  key: string;
  type: 'intent';
  seat: number;
  action: Json;
}
/** Hear what is said here from now on, and what was; on false: no more. */
export interface Listen {
  type: 'chat';
  key: string;
  on?: boolean;
}
/** A named user in the lobby. listens: of a bot account, it takes challenges. */
export interface LobbyPerson {
  name: string;
  account?: true;
  program?: true;
  listens?: true;
}
/** A seat of a table in the lobby. */
export interface LobbySeat {
  name: string;
  colour: number;
  taken: boolean;
  bot?: string;
  account?: true;
  program?: true;
}
/** A table in the lobby. standing, public, due: only of the viewer's own tables. */
export interface LobbyTable {
  game: string;
  open: boolean;
  options: Json;
  seats: LobbySeat[];
  since: number;
  rated?: true;
  clock?: ClockPlan;
  standing?: 'yours' | 'others' | 'waiting' | 'over';
  public?: boolean;
  due?: number;
}
/** The whole lobby. */
export interface LobbyWhole {
  type: 'lobby';
  tables: {
    [k: string]: LobbyTable;
  };
  people: {
    [k: string]: LobbyPerson;
  };
  seeking: {
    [k: string]: Json;
  };
  counts: {
    [k: string]: number;
  };
  tournaments: {
    [k: string]: Json;
  };
  own: {
    [k: string]: LobbyTable;
  };
}
/**
 * Hide the messages of one user from the sender of this order.
 *
 * The user is named by a seat, or by a message that they wrote. muted: false shows their messages again;
 * without a seat and a message it shows those of all users again.
 */
export interface Mute {
  type: 'mute';
  key: string;
  seat?: number;
  line?: number;
  muted?: boolean;
}
/** The changes in the lobby or tournament. */
export interface NewsMessage {
  type: 'news';
  /** [value], null, or an object of changes */
  change: Json;
}
/** The viewer's private notes changed, such as conditional moves. */
export interface NotesMessage {
  type: 'notes';
  notes: unknown;
}
/** How a game ended. */
export interface OutcomeInfo {
  winners: number[];
  reason: string;
  rule: string | null;
}
/** Wish a delay before each decision of a bot; it applies once all people wish the same. */
export interface Pace {
  key: string;
  type: 'pace';
  milliseconds: number;
}
/** The pace of the bots. */
export interface PaceMessage {
  type: 'pace';
  milliseconds: number;
  wishes: PaceWish[];
  paused: boolean;
}
/** A pace that a player asks for. */
export interface PaceWish {
  seat: number;
  milliseconds: number;
}
/** Opponents were found; the viewer has a seat at the new table. */
export interface PairedMessage {
  type: 'paired';
  table: string;
  game: string;
}
/** Pause or resume a game of bots alone; any spectator may. */
export interface Pause {
  key: string;
  type: 'pause';
  paused: boolean;
}
/**
 * Ask all others for something.
 *
 * about: the absent player. days: for each turn of the game that goes on by correspondence.
 */
export interface Propose {
  key: string;
  type: 'propose';
  seat: number;
  what: 'bot' | 'draw' | 'take_back' | 'pause' | 'adjourn' | 'hands';
  about?: number;
  days?: number;
}
/** A rating. deviation: its standard deviation. provisional: after too few games to be reliable. */
export interface RatingInfo {
  rating: number;
  deviation: number;
  provisional: boolean;
}
/** Why an action is illegal. */
export interface Refusal {
  code: string;
  rule: string | null;
  message: string;
}
/** Ask for a rematch, or agree to one. absent: what happens to the seats of absent players, by number. */
export interface Rematch {
  key: string;
  type: 'rematch';
  seat: number;
  absent?: {
    [k: string]: 'bot' | 'out';
  };
}
/** Seats that agree to a rematch, what happens to absent players' seats, and the new table. */
export interface RematchState {
  agreed: number[];
  table: string | null;
  absent?: {
    [k: string]: 'bot' | 'out';
  };
}
/** Change the name at one's seat. */
export interface Rename {
  key: string;
  type: 'rename';
  seat: number;
  name: string;
}
/** Give the game up; version: needed at a table of turns. */
export interface Resign {
  key: string;
  type: 'resign';
  version?: number;
  seat: number;
}
/** A new chat line. */
export interface SaidMessage {
  type: 'said';
  line: ChatLine;
}
/** Send a chat message: text, or a phrase that each reader sees in their own language. */
export interface Say {
  type: 'say';
  key: string;
  text?: string;
  phrase?: 'hello' | 'luck' | 'well-played' | 'moment' | 'thanks' | 'sorry' | 'again';
}
/**
 * A seat of a table, as the viewer sees it. account: the name is that of its player's account.
 *
 * rating: of that account in the table's pool, before the game; absent if the game is over when a server
 * loads the table, and where an unrated game's player has none.
 */
export interface SeatInfo {
  seat: number;
  name: string;
  colour: number;
  kind: 'here' | 'open' | 'bot';
  bot: string | null;
  taken: boolean;
  yours: boolean;
  online: boolean;
  kept?: string;
  account?: true;
  program?: true;
  rating?: RatingInfo;
}
/** A name or a connection status changed. */
export interface SeatsMessage {
  type: 'seats';
  seats: SeatInfo[];
}
/** Seek opponents for a game; replaces the user's former seek. */
export interface Seek {
  type: 'seek';
  key: string;
  game: string;
  options: TableOptions;
  name?: string;
  bots?: Bots;
}
/**
 * What a table is set to: these keys are the table's, all others the game's.
 *
 * absence: minutes after which others need not wait for who has gone, 0: they have to; None: as usual. back:
 * minutes in which who comes back has their seat again from a bot. take_back: whether all may agree to take
 * a turn back; None: where there are people and no rating hangs on it.
 */
export interface TableOptions {
  seed?: number;
  turn_limit?: number;
  clock?: ClockPlan;
  rated?: boolean;
  absence?: number;
  back?: number;
  take_back?: boolean;
  [k: string]: unknown;
}
/** Ask for the whole table again. */
export interface Show {
  type: 'table';
  key: string;
}
/** Take a free open seat, or one's own back from a substitute bot. */
export interface Sit {
  key: string;
  type: 'sit';
  seat: number;
  name?: string;
}
/** Leave one's open seat, before the first decision. */
export interface Stand {
  key: string;
  type: 'stand';
  seat: number;
}
/** Stop the running analysis of this session. */
export interface Stop {
  type: 'stop';
  key: string;
}
/** The whole table. The viewer's state is ``state`` overlaid with ``own``. */
export interface TableMessage {
  type: 'table';
  id: string;
  game: string;
  version: number;
  pace: number;
  wishes: PaceWish[];
  paused: boolean;
  chat: boolean;
  consent: Agreements;
  seats: SeatInfo[];
  options: Json;
  board: Json;
  state: TableState;
  own?: Json;
  log: Json[];
}
/** The keys common to all states; each game adds its own. */
export interface TableState {
  position: Json;
  outcome: OutcomeInfo | null;
  rematch: RematchState;
  abort?: AbortInfo;
  [k: string]: unknown;
}
/** Take back the seat's last decision of its own current turn. */
export interface Undo {
  key: string;
  version: number;
  seat: number;
  type: 'undo';
}
/** Cancel the seek. */
export interface Unseek {
  type: 'unseek';
  key: string;
}
/** The changes since version ``base``. check: the CRC-32 of the new state. */
export interface UpdateMessage {
  type: 'update';
  version: number;
  base: number;
  /** [value], null, or an object of changes */
  change: Json;
  check: string;
  keep: number;
  entries: Json[];
  seats?: SeatInfo[];
  options?: Json;
  own?: Json;
}
/** Agree to a proposal, refuse it, or withdraw one's own. number: the proposal's. */
export interface Vote {
  key: string;
  type: 'vote';
  seat: number;
  number: number;
  agree: boolean;
}
/** Ask for the paths of a piece; changes nothing. of: the piece, in the game's notation. */
export interface Ways {
  type: 'ways';
  key: string;
  of: unknown;
}
/** The answer to ``ways``. */
export interface WaysMessage {
  type: 'ways';
  key: string;
  version: number;
  ways: unknown;
}
/** Ask why an action is illegal; changes nothing. */
export interface Why {
  type: 'why';
  key: string;
  seat: number;
  action: Json;
}
/** The answer to ``why``. refusal: null if the action is legal. */
export interface WhyMessage {
  type: 'why';
  key: string;
  refusal: Refusal | null;
}

/** An object whose keys the game defines. */
export type Json = Record<string, unknown>;
/** The version of the protocol; a page of another version has to be reloaded. */
export const PROTOCOL = 2;
