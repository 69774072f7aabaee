/**
 * A table that the page plays without a server: what its players see after what they have decided (K7). The rules are the kernels'; the
 * stages are those of the server's tables (`games/ekko/live/machine.py`). Games are in calm turns; lessons may be of a race, in which
 * nobody is as quick as the one who learns, unless the lesson says so.
 */
import { type Action, formatAction } from '../engine/ekko/action';
import { CHANCE, type EkkoPosition } from '../engine/ekko/position';
import type { Outcome } from '../engine/record';
import type { Failure } from '../net/protocol';
import { roundOf } from './local';
import {
  type Card,
  type Entry,
  type Hand,
  quietState,
  type Racer,
  type Receipt,
  type Round,
  type Seat,
  type Stage,
  type State,
} from './protocol';

/** What a seat, or chance, decides. A mirror without an effect claims it alone (K3.2). */
export interface Step {
  readonly seat: Seat;
  readonly action:
    | { readonly type: 'deal'; readonly order: readonly number[] }
    | { readonly type: 'ready' }
    | { readonly type: 'pass' }
    | { readonly type: 'draw' }
    | { readonly type: 'play'; readonly card: Card }
    | { readonly type: 'mirror'; readonly card: Card; readonly effect?: 'discard' | 'draw'; readonly aside?: Card }
    | { readonly type: 'effect'; readonly effect: 'discard' | 'draw'; readonly aside?: Card };
}
type Mirror = Extract<Action, { type: 'mirror' }>;
type Claim = { readonly seat: Seat; readonly card: Card; readonly on: Card; readonly mirror: Mirror | null };

/** Why a decision is refused. */
export class NotNow extends Error {
  constructor(readonly failure: Failure) {
    super(failure.code);
  }
}

export interface Calm {
  /** As at a live table, where the mirror's holder is not asked. */
  readonly position: EkkoPosition;
  readonly stage: Stage;
  readonly ready: readonly Seat[];
  /** Who has passed or claimed. */
  readonly decided: readonly Seat[];
  readonly claim: Claim | null;
  /** Entries of the window, secret until its end. */
  readonly withheld: readonly Entry[];
  readonly rounds: readonly Round[];
  readonly log: readonly Entry[];
  /** What was decided about cards, without remarks. */
  readonly played: readonly { readonly seat: Seat; readonly action: Action }[];
  readonly outcome: Outcome | null;
  /** The latest card that was too late. */
  readonly receipt: Receipt | null;
  /** Whether hands are shown after each round. */
  readonly openHands: boolean;
  /** A race, not calm turns: the first card counts, and with misplays a wrong card costs another (K4.1). */
  readonly race: { readonly misplays: boolean } | null;
}

/** The table before the first deal, or at a position in a round. */
export function calmTable(start: EkkoPosition, openHands: boolean, race: Calm['race'] = null): Calm {
  const nothing = { decided: [], withheld: [], claim: null, receipt: null, outcome: null };
  const rest = { ...nothing, stage: 'waiting' as const, ready: [], rounds: [], log: [], played: [] };
  return goOn({ ...rest, position: start.asLive(), openHands, race });
}

/** The seats that are asked for a mirror and have not decided. */
export function undecided({ position, stage, decided }: Calm): Seat[] {
  if (stage !== 'window' && stage !== 'leaving') return [];
  return seatsOf(position).filter((seat) => seat !== position.leaving && !decided.includes(seat));
}

/** The table after a decision; the same one if it has no effect any more. Throws `NotNow`. */
export function after(table: Calm, { seat, action }: Step): Calm {
  const { position, stage } = table;
  if (action.type === 'deal') return deal(table, action);
  if (action.type === 'ready') return ready(table, seat);
  if (stage === 'waiting' || stage === 'look' || stage === 'over') return notNow('K1.3');
  switch (action.type) {
    case 'pass':
      return undecided(table).includes(seat) ? pass(table, seat) : table;
    case 'draw':
      if (stage === 'effect') return notNow('K3.2');
      refuse(position, seat, action);
      return stage === 'race' ? perform(table, seat, action) : notNow('K3.2');
    case 'effect':
      if (stage !== 'effect' || table.claim?.seat !== seat) return notNow('K3.2');
      return perform(table, seat, mirrorWith(position, seat, table.claim.card, action));
    default:
      return card(table, seat, action);
  }
}

function seatsOf({ players }: EkkoPosition): Seat[] {
  return Array.from({ length: players }, (_, seat) => seat);
}

function notNow(rule: string): never {
  throw new NotNow({ code: 'table/not-now', rule, message: '' });
}

function refuse(position: EkkoPosition, seat: Seat, action: Action): void {
  const refusal = position.whyNot(seat, action);
  if (refusal) throw new NotNow({ code: 'action/illegal', refusal: refusal.code, rule: refusal.rule, message: '' });
}

function enter(table: Calm, stage: Stage): Calm {
  return { ...table, stage, decided: [], withheld: [], claim: stage === 'effect' ? table.claim : null };
}

/** Enters the stage that follows from the position. */
function goOn(table: Calm): Calm {
  const { position } = table;
  if (position.phase === 'over') return { ...enter(table, 'over'), outcome: position.outcome()! };
  if (position.phase === 'deal') return enter(table, 'waiting');
  if (position.leaving !== undefined) return enter(table, 'leaving');
  return enter(table, position.mayBeMirrored && !table.race ? 'window' : 'race');
}

function deal(table: Calm, action: Extract<Action, { type: 'deal' }>): Calm {
  const position = table.position.play(action);
  const played = [...table.played, { seat: CHANCE, action }];
  const entry = entryOf(position.round, CHANCE, { type: 'deal' }, 'deal');
  return { ...note(enter(table, 'look'), entry), position, played, ready: [] };
}

function ready(table: Calm, seat: Seat): Calm {
  if (table.stage !== 'look' || table.ready.includes(seat)) return table;
  const all = { ...table, ready: [...table.ready, seat].sort((one, other) => one - other) };
  return all.ready.length === all.position.players ? goOn(all) : all;
}

function pass(table: Calm, seat: Seat): Calm {
  const { position, stage, withheld, race } = table;
  const entry = entryOf(position.round, seat, { type: 'pass' }, 'pass', position.top);
  if (race) return decide(note(table, entry), seat);
  return decide({ ...table, withheld: stage === 'leaving' ? [...withheld, entry] : withheld }, seat);
}

function decide(table: Calm, seat: Seat): Calm {
  const decided = [...table.decided, seat].sort((one, other) => one - other);
  const now = { ...table, decided };
  return undecided(now).length === 0 ? endWindow(now) : now;
}

/** The time for a mirror is over. */
export function timeOut(table: Calm): Calm {
  return table.stage === 'window' || table.stage === 'leaving' ? endWindow(table) : notNow('K7.5');
}

/** Plays the claim of a window, ends the round of a player who leaves, or goes on. */
function endWindow(table: Calm): Calm {
  const { claim, stage, withheld } = table;
  const published = { ...note(table, ...withheld), withheld: [] };
  if (claim) return open(published, claim);
  return stage === 'leaving' ? perform(published, CHANCE, { type: 'close' }) : enter(published, 'race');
}

/** Plays a claimed mirror, or waits for its player to choose the effect. */
function open(table: Calm, claim: Claim): Calm {
  const { card, seat, mirror } = claim;
  if (mirror) return perform(table, seat, mirror);
  const isLast = table.position.cardsOf(seat).hand.length === 1;
  return isLast ? perform(table, seat, { type: 'mirror', card, effect: 'draw' }) : enter({ ...table, claim }, 'effect');
}

function mirrorWith(
  position: EkkoPosition,
  seat: Seat,
  card: Card,
  { effect, aside }: { effect: 'discard' | 'draw'; aside?: Card | undefined },
): Mirror {
  const mirror: Mirror =
    effect === 'draw' ? { type: 'mirror', card, effect } : { type: 'mirror', card, effect, aside: aside ?? 0 };
  refuse(position, seat, mirror);
  return mirror;
}

/** A card; the mirror of the top card claims it, however it is played (K3.4). */
function card(table: Calm, seat: Seat, action: Extract<Step['action'], { card: Card }>): Calm {
  const { position, stage, race } = table;
  const { card } = action;
  const isMirror = card === position.mirror && position.holdsMirror(seat);
  const isWrong = !isMirror && position.whyNot(seat, { type: 'play', card }) !== undefined;
  if (isWrong && race?.misplays && stage === 'race' && position.cardsOf(seat).hand.includes(card)) {
    refuse(position, seat, { type: 'misplay', card });
    return perform(table, seat, { type: 'misplay', card });
  }
  if (!isMirror) refuse(position, seat, { type: 'play', card });
  if (stage === 'effect') return notNow('K3.2');
  if (stage === 'race') {
    const isOpen = seat === position.actor;
    if (isOpen && !isMirror) return perform(table, seat, { type: 'play', card });
    if (!isOpen && !race)
      throw new NotNow({ code: 'action/illegal', refusal: 'nothing-asked', rule: 'K6.1', message: '' });
  } else if (!race && table.decided.includes(seat)) return notNow('K7.4');
  else if (!isMirror) return notNow('K3.2');
  const { effect, aside } = action.type === 'mirror' ? action : { effect: undefined };
  const mirror = effect ? mirrorWith(position, seat, card, { effect, aside }) : null;
  const claim: Claim = { seat, card, on: position.top!, mirror };
  const entry = entryOf(position.round, seat, { type: 'mirror', card }, 'claim', claim.on);
  if (stage !== 'race' && !race) return decide({ ...table, claim, withheld: [...table.withheld, entry] }, seat);
  const isOpen = !mirror && position.cardsOf(seat).hand.length > 1;
  return open(isOpen ? note(table, entry) : table, claim);
}

/** The mirror of a card that another one has covered comes too late (K3.5). behind: milliseconds. */
export function late(table: Calm, seat: Seat, card: Card, on: Card, behind: number): Calm {
  const first = table.log.find((entry) => entry.on === on && entry.action.card !== undefined)!;
  const action = { type: 'mirror', card };
  const noted = note(table, { ...entryOf(table.position.round, seat, action, 'late', on), behind });
  const winner: Racer = {
    seat: first.seat,
    card: first.action.card!,
    kind: first.verdict === 'play' ? 'play' : 'mirror',
  };
  const loser = { seat, card, kind: 'mirror' as const, behind };
  return { ...noted, receipt: { n: noted.log.length, winner, losers: [loser] } };
}

function perform(table: Calm, seat: Seat, action: Action): Calm {
  const before = table.position;
  const position = before.play(action, seat);
  const drew = before.draws(seat, action, position);
  const isDecision = seat !== CHANCE;
  const entry = {
    ...entryOf(
      before.round,
      seat,
      publicForm(action),
      action.type as Entry['verdict'],
      isDecision ? before.top : undefined,
    ),
    ...(drew.length > 0 && { draws: drew }),
  };
  const rounds = roundOf(before, position).map(
    (round): Round => (table.openHands ? { ...round, hands: before.handsLeft(seat, action) } : round),
  );
  const played = [...table.played, { seat, action }];
  return goOn({ ...note(table, entry), position, played, rounds: [...table.rounds, ...rounds] });
}

/** An action without the card put aside. */
function publicForm(action: Action): Entry['action'] {
  if (action.type !== 'mirror') return action as Entry['action'];
  const { type, card, effect } = action;
  return { type, card, effect };
}

function note(table: Calm, ...entries: readonly Entry[]): Calm {
  const { length } = table.log;
  return { ...table, log: [...table.log, ...entries.map((entry, n) => ({ ...entry, n: length + n + 1 }))] };
}

function entryOf(round: number, seat: Seat, action: Entry['action'], verdict: Entry['verdict'], on?: Card): Entry {
  return {
    n: 0,
    round,
    seat,
    action,
    verdict,
    notation: wordOf(action, verdict),
    at: 0,
    ...(on !== undefined && { on }),
  };
}

function wordOf(action: Entry['action'], verdict: Entry['verdict']): string {
  if (verdict === 'claim' || verdict === 'late') return `${verdict}:${action.card}`;
  return action.effect === 'discard' ? `${action.card}/-` : formatAction(action as Action);
}

/** What everybody sees. */
export function publicState(table: Calm): State {
  const { position, stage, ready, decided, claim, receipt, rounds, outcome } = table;
  const view = position.toView();
  const { round, dealer } = view.turn;
  const faceDown = { pile: view.pile + 1, zone: [], turn: { round, dealer, phase: 'deal' as const } };
  return {
    ...quietState(stage === 'look' ? { ...view, ...faceDown } : view, {}),
    stage,
    ready,
    decided,
    claim: stage === 'effect' && claim ? { seat: claim.seat, card: claim.card, on: claim.on } : null,
    receipt,
    rounds,
    outcome,
  };
}

/** The hand of a seat. hints: what is valid is listed. */
export function handOf(table: Calm, seat: Seat, hints: boolean): Hand {
  const { position, claim } = table;
  return {
    ...position.cardsOf(seat),
    ...(hints && { playable: playable(table, seat) }),
    ...(claim?.seat === seat && { claimed: claim.card }),
  };
}

function playable(table: Calm, seat: Seat): Card[] {
  const { position, stage } = table;
  const isTurn = stage === 'race' && seat === position.actor;
  if (!isTurn && !undecided(table).includes(seat)) return [];
  const valid = isTurn ? position.legal().flatMap((action) => ('card' in action ? [action.card] : [])) : [];
  const mirror = position.mayBeMirrored && position.holdsMirror(seat) ? position.mirror : 0;
  return position.cardsOf(seat).hand.filter((card) => valid.includes(card) || card === mirror);
}

/** The decisions of the sequence (K6) that were made: mirrors that were let be are passed. */
export function sequence({ played }: Pick<Calm, 'played'>, start: EkkoPosition): Calm['played'] {
  const steps: { seat: Seat; action: Action }[] = [];
  let position = start;
  const add = (seat: Seat, action: Action): void => {
    position = position.play(action, seat);
    steps.push({ seat, action });
  };
  for (const { seat, action } of played) {
    if (position.phase === 'mirror' && action.type !== 'mirror') add(position.actor!, { type: 'pass' });
    if (action.type !== 'close') add(seat, action);
  }
  return steps;
}
