/** Hints for a player against bots: which cards fit, and one good decision with its reasons, from what the seat sees alone. */
import type { SeenJson } from '../engine/ekko/position';
import { isDouble, mirrorOf } from './cards';
import { askBot, engine } from './engine';
import type { Card, PublicAction, Seat, State } from './protocol';

export interface Reason {
  /** A word that the page's texts know. */
  readonly reason: string;
  readonly n?: number;
  readonly card?: Card;
}
export interface Advice {
  readonly top: Card;
  /** Playable in the own turn, except for the mirror. */
  readonly fits: readonly Card[];
  /** The mirror of the top card, if it is held. */
  readonly mirror: Card | null;
  /** null: wait. */
  readonly action: PublicAction | null;
  /** The most important first. */
  readonly reasons: readonly Reason[];
}

/** It counts visible cards and remembers no more than people do. */
const ADVISER = 'strong';
const CARDS = Array.from({ length: 98 }, (_, n): Card => n + 1);

/** null: the seat has nothing to decide. calm: whether all are asked for mirrors. */
export async function advise(
  { position, stage, claim, decided, hands }: State,
  seat: Seat,
  calm: boolean,
): Promise<Advice | null> {
  const { hand, aside, blocked } = hands[seat]!;
  const { zone, turn } = position;
  const isTurn = stage === 'race' && turn.player === seat;
  const chooses = stage === 'effect' && claim?.seat === seat;
  const passes = (stage === 'window' || stage === 'leaving') && !decided.includes(seat) && turn.leaving !== seat;
  if (!isTurn && !chooses && !passes && (stage !== 'race' || calm)) return null;
  const view: SeenJson = {
    game: 'ekko',
    version: 1,
    ...position,
    hand,
    aside,
    turn: { ...turn, ...(blocked.length > 0 && { blocked }) },
  };
  const top = zone.at(-1)!;
  const [printed, word] = [mirrorOf(top), BigInt(turn.round * CARDS.length + zone.length)];
  const mirror = printed !== null && hand.includes(printed) && !blocked.includes(printed) ? printed : null;
  // the mirror is played as one (K3.4)
  const fits = isTurn ? playable(view, seat).filter((card) => card !== printed) : [];
  let action = mirror === null ? undefined : await askBot('mirror', view, seat, ADVISER, word);
  if (!action && isTurn) action = await askBot('decide', view, seat, ADVISER, word);
  if (!action && chooses) action = { type: 'mirror', card: claim.card, effect: 'draw' };
  if (!action && passes) action = { type: 'pass' };
  const { type, ...what } = (action ?? { type: 'wait' }) as PublicAction;
  const { card: _, ...effect } = what;
  return {
    top,
    fits,
    mirror,
    action: !action ? null : chooses ? { type: 'effect', ...effect } : { type, ...what },
    reasons: reasonsFor({ type, ...what }, view, seat, fits),
  };
}

function reasonsFor(
  { type, card, aside }: PublicAction,
  view: SeenJson,
  seat: Seat,
  fits: readonly Card[],
): readonly Reason[] {
  switch (type) {
    case 'play':
      return ofPlay(card!, view, seat, fits);
    case 'mirror':
      if (aside === undefined) return [{ reason: 'others-draw' }];
      return [{ reason: view.hand.length > 2 ? 'two-fewer' : 'rid' }, ...(isDouble(aside) ? [{ reason: 'dear' }] : [])];
    case 'draw':
      return [{ reason: 'nothing-fits' }];
    default:
      return [{ reason: view.hand.includes(mirrorOf(view.zone.at(-1)!) ?? 0) ? 'mirror-kept' : 'no-mirror' }];
  }
}

/** What speaks for a card (K2.1, K2.3, K3.2, K5.4). */
function ofPlay(card: Card, view: SeenJson, seat: Seat, fits: readonly Card[]): readonly Reason[] {
  const rest = view.hand.filter((other) => other !== card);
  const known = {
    last: rest.length === 0 && !isDouble(card),
    only: fits.length === 1,
    again: isDouble(card) && fitting(view, seat, card, rest).length > 0,
    dear: isDouble(card),
    'own-mirror': rest.includes(mirrorOf(card) ?? 0),
  };
  const reasons: Reason[] = Object.entries(known).flatMap(([reason, holds]) => (holds ? [{ reason }] : []));
  const seen = new Set([...view.zone, ...view.hand, ...view.aside]);
  const unseen = CARDS.filter((other) => !seen.has(other));
  const left = new Map(
    fits.filter((other) => !isDouble(other)).map((other) => [other, fitting(view, seat, other, unseen).length]),
  );
  const n = left.get(card);
  if (n !== undefined && rest.length > 0 && !known.only && n === Math.min(...left.values()))
    reasons.push(n > 0 ? { reason: 'narrow', n } : { reason: 'closed' });
  const outermost = fits.reduce((far, other) => (distance(other) > distance(far) ? other : far), card);
  if (outermost !== card) reasons.push({ reason: 'keeps', card: outermost });
  return reasons.length > 0 ? reasons : [{ reason: 'counted' }];
}

/** From the middle: few cards fit on high odd and low even ones. */
const distance = (card: Card): number => Math.abs(card - (CARDS.length + 1) / 2);

/** Those of some cards that would fit on a card. */
function fitting(view: SeenJson, seat: Seat, top: Card, cards: readonly Card[]): Card[] {
  const { blocked: _, again: __, ...turn } = view.turn;
  const last = (seat + 1) % view.players;
  return playable({ ...view, zone: [top], hand: [...cards], turn: { ...turn, player: seat, last } }, seat);
}

/** The cards that a seat in turn can play. */
function playable(view: SeenJson, seat: Seat): Card[] {
  const legal = engine().seenPosition(view, seat).legal();
  return legal.flatMap((action) => (action.type === 'play' ? [action.card] : []));
}
