/** An EKKO table in words. */

import { endingLine, isOwnWin } from '../table/results';
import { nameOf } from '../table/seats';
import { listed, maybe, number, plural, t } from '../ui/i18n.svelte';
import { face, isPlus, mirrorOf } from './cards';
import { turnedOver } from './log';
import type { Card, Entry, Receipt, Round, Seat, SeatInfo, State } from './protocol';
import type { EkkoTableState, Notice } from './table.svelte';

export function sentence(table: EkkoTableState): string {
  const { state, viewer, hotSeat, seats } = table;
  if (!state) return t('page.connecting');
  if (table.waiting && (table.connection !== 'open' || table.isSlow)) return t('page.unsent');
  if (table.agreement.isPaused) return t('error.table/paused');
  const what = asked(table, state);
  const mine = table.myTurn || table.choosing || table.mayPass || table.mayReady;
  return hotSeat && mine && viewer !== null ? t('asked.hot-seat', { name: nameOf(seats, viewer), what }) : what;
}

function asked(table: EkkoTableState, state: State): string {
  switch (state.stage) {
    case 'waiting':
      return t('asked.waiting-seats');
    case 'look':
      return table.mayReady ? t('ekko.say.look', { n: state.position.turn.round }) : waitingFor(table, state.ready);
    case 'race':
      return turnLine(table, state);
    case 'window':
      return windowLine(table);
    case 'effect':
      return effectLine(table, state);
    case 'leaving':
      return leavingLine(table, state);
    case 'over':
      return outcomeLine(state, table.seats);
  }
}

function waitingFor({ seats, wanted, hotSeat }: EkkoTableState, ready: readonly Seat[]): string {
  if (hotSeat && typeof wanted === 'number') return t('ekko.device.pass', { name: nameOf(seats, wanted) });
  const open = seats
    .filter(({ seat, kind }) => kind !== 'bot' && !ready.includes(seat))
    .map(({ seat }) => nameOf(seats, seat));
  return open.length > 0 ? t('ekko.say.look.wait', { names: listed(open) }) : t('ekko.say.dealt');
}

function turnLine({ myTurn, seats, top, hotSeat, yours, rest, anyCard }: EkkoTableState, { position }: State): string {
  const { player = 0, again } = position.turn;
  const name = nameOf(seats, player);
  if (hotSeat && !myTurn && yours.includes(player)) return t('ekko.device.pass', { name });
  const card = face(top);
  const relation = isPlus(top ?? 0) ? 'higher' : 'lower';
  if (anyCard) return myTurn ? t('ekko.say.any') : t('ekko.say.other.any', { name });
  if (!myTurn) return t(`ekko.say.other.${relation}`, { name, card });
  if (again && rest.length === 0) return t('ekko.say.again.empty');
  return t(`ekko.say.${again ? 'again' : 'turn'}.${relation}`, { card });
}

function windowLine({ autoPass, mayPass, top, hotSeat, hand }: EkkoTableState): string {
  const card = face(top);
  if (mayPass && autoPass.on) return t('ekko.say.auto-pass');
  if (mayPass && !hotSeat) return t('ekko.say.window', { card });
  if (hand?.claimed !== undefined) return t('ekko.say.window.claimed');
  return t(mayPass ? 'ekko.say.window.device' : 'ekko.say.window.wait', { card });
}

function effectLine({ choosing, putting, seats, hotSeat, wanted }: EkkoTableState, { claim }: State): string {
  if (choosing) return t(putting ? 'ekko.say.put' : 'ekko.say.effect');
  if (!claim) return '';
  const name = nameOf(seats, claim.seat);
  if (hotSeat && wanted === claim.seat) return t('ekko.device.pass', { name });
  return t('ekko.say.effect.other', { name, card: face(claim.card), on: face(claim.on) });
}

function leavingLine({ autoPass, viewer, mayPass, top, seats }: EkkoTableState, { position }: State): string {
  const { leaving = 0 } = position.turn;
  const values = { name: nameOf(seats, leaving), card: face(top) };
  if (leaving === viewer) return t('ekko.say.leaving.own', values);
  if (mayPass && autoPass.on) return t('ekko.say.auto-pass');
  return t(mayPass ? 'ekko.say.leaving' : 'ekko.say.leaving.wait', values);
}

export function outcomeLine({ outcome, position }: State, seats: readonly SeatInfo[]): string {
  if (!outcome) return '';
  const [winner = 0] = outcome.winners;
  const points = position.scores[winner] ?? 0;
  return (
    endingLine(outcome, seats, points) ??
    (isOwnWin(outcome.winners, seats)
      ? plural('ekko.over.won.you', points)
      : plural('ekko.over.won', points, { names: nameOf(seats, winner) }))
  );
}

/** What a first round teaches. */
export function lesson({ state, options, myTurn, anyCard, viewer, onDevice }: EkkoTableState): string | null {
  if (!state || viewer === null || state.rounds.length > 0) return null;
  const { stage, position } = state;
  if (stage === 'look')
    return t(onDevice ? 'ekko.device.calm' : options?.calm ? 'ekko.lesson.window' : 'ekko.lesson.look');
  if (stage === 'window' || stage === 'leaving') return t(`ekko.lesson.${stage}`);
  if (stage !== 'race') return null;
  if (position.turn.again) return t('ekko.lesson.again');
  if (myTurn) return anyCard ? null : t('ekko.lesson.turn');
  // in calm mode there is a window for mirrors
  return options?.calm ? null : t('ekko.lesson.wait');
}

/** A card as it is read aloud: "67, plus, mirror 76". */
export function cardName(card: Card): string {
  const mirror = mirrorOf(card);
  const words = {
    card: face(card),
    sign: t(isPlus(card) ? 'ekko.card.plus' : 'ekko.card.minus'),
    mirror: face(mirror),
  };
  return t(mirror === null ? 'ekko.card.double' : 'ekko.card.name', words);
}

/** An entry for the list; a deal names the card that was turned over, once it is known (K1.3). */
export function listLine(entry: Entry, { log, state, seats }: Pick<EkkoTableState, 'log' | 'state' | 'seats'>): string {
  const turned = entry.verdict === 'deal' ? turnedOver(entry.round, log, state) : null;
  return turned === null ? entryLine(entry, seats) : t('ekko.log.turned', { round: entry.round, card: face(turned) });
}

/** An entry for screen readers. */
export function entryLine(entry: Entry, seats: readonly SeatInfo[]): string {
  const line = happening(entry, seats);
  return entry.clock ? t('ekko.log.clock', { line }) : line;
}

/** A difference in time, at least 1 ms: nobody is late by nothing. */
export function milliseconds(behind: number): string {
  return number(Math.max(1, Math.round(behind)));
}

function happening(entry: Entry, seats: readonly SeatInfo[]): string {
  const { seat, verdict, action, on, behind, round } = entry;
  const values = {
    name: seat < 0 ? '' : nameOf(seats, seat),
    card: face(action.card),
    on: face(on),
    behind: behind === undefined ? '' : milliseconds(behind),
    round,
  };
  if (verdict === 'mirror') return t(`ekko.log.mirror.${action.effect ?? 'draw'}`, values);
  if (verdict === 'late' && behind !== undefined)
    return t(`ekko.log.late.${action.card === undefined ? 'draw' : 'by'}`, values);
  return t(`ekko.log.${verdict}`, values);
}

export function receiptLines({ winner, losers }: Receipt, seats: readonly SeatInfo[]): string[] {
  const first = { name: nameOf(seats, winner.seat), card: face(winner.card) };
  return losers.map(({ seat, card, behind }) =>
    t(`ekko.receipt.${winner.kind}`, {
      ...first,
      other: nameOf(seats, seat),
      loser: face(card),
      behind: milliseconds(behind),
    }),
  );
}

export function roundLine({ reason, by }: Round, seats: readonly SeatInfo[]): string {
  return t(`ekko.round.${reason}`, { name: by === null ? '' : nameOf(seats, by) });
}

/** The server's own sentence where the catalogue has none. */
export function noticeLine({ kind, code, message }: Notice): string {
  if (kind === 'hint') return maybe(`ekko.hint.${code}`) ?? code;
  const words = kind === 'why' ? maybe(`ekko.refusal.${code}`) : maybe(`error.${code}`);
  return words ?? (message || t('error.unknown', { code }));
}
