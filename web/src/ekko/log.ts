/** What the entries of EKKO's log mean: which card lies on top and since when, and the races for it (K7.1, K7.2). Pure. */
import type { Card, Entry, Seat, State } from './protocol';

export function puts({ verdict }: Entry): boolean {
  return verdict === 'play' || verdict === 'mirror' || verdict === 'claim';
}

/** The card that was turned over at the start of a round (K1.3); null before. */
export function turnedOver(round: number, log: readonly Entry[], state: State | null): Card | null {
  const lowest = state?.position.turn.round === round ? state.position.zone[0] : undefined;
  return lowest ?? log.find((entry) => entry.round === round && entry.on !== undefined)?.on ?? null;
}

/** The entry of a verdict about the same card in the same round. */
function other({ round, action }: Entry, verdict: 'claim' | 'mirror', log: readonly Entry[]): Entry | undefined {
  return log.find((one) => one.verdict === verdict && one.round === round && one.action.card === action.card);
}

/** Whether an entry only settles the effect of a mirror that was claimed before. */
export function settles(entry: Entry, log: readonly Entry[]): boolean {
  return entry.verdict === 'mirror' && other(entry, 'claim', log) !== undefined;
}

export function freshlyPut(top: Card | undefined, recent: readonly Entry[], log: readonly Entry[]): Entry | null {
  return recent.find((entry) => entry.action.card === top && puts(entry) && !settles(entry, log)) ?? null;
}

/** The entry of the list that shows an entry: a claim is shown with its effect. */
export function listedAs(entry: Entry, log: readonly Entry[]): Entry {
  return (entry.verdict === 'claim' && other(entry, 'mirror', log)) || entry;
}

/** The log as it is listed: a mirror where it was claimed, before the cards that came too late for it, and a card that came after its round in that round. */
export function listedLog(log: readonly Entry[]): Entry[] {
  const listed = log.filter((entry) => !settles(entry, log)).map((entry) => listedAs(entry, log));
  return listed.sort((one, other) => one.round - other.round);
}

export interface Runner {
  seat: Seat;
  /** null: a draw. */
  card: Card | null;
  /** Milliseconds after the winner. */
  behind: number;
}
export interface Race {
  on: Card | null;
  /** Milliseconds from when the card lay there until it was answered; null for the card turned over at the start. */
  took: number | null;
  runners: Runner[];
}

/** The race that an entry won or lost: every mirror, and every card that beat others. null: none. */
export function raceAt(log: readonly Entry[], n: number): Race | null {
  const entry = log[n - 1];
  if (!entry) return null;
  const first = entry.verdict === 'late' ? quicker(log, entry) : comes(entry, log) ? entry : null;
  if (!first) return null;
  const late = log.filter((other) => other.verdict === 'late' && quicker(log, other) === first);
  if (late.length === 0 && first.verdict === 'play') return null;
  const before = log.filter((other) => other.round === first.round && other.n < first.n && comes(other, log)).at(-1);
  return {
    on: first.on ?? null,
    took: before ? first.at - before.at : null,
    runners: [first, ...late].map(runner),
  };
}

/** The mirror at the end of a log whose effect is still being chosen. */
export function openMirror(log: readonly Entry[]): { seat: Seat; card: Card; on: Card } | null {
  const latest = log.findLast(({ verdict }) => verdict === 'claim' || verdict === 'mirror' || verdict === 'deal');
  if (latest?.verdict !== 'claim' || latest.action.card === undefined || latest.on === undefined) return null;
  return { seat: latest.seat, card: latest.action.card, on: latest.on };
}

function comes(entry: Entry, log: readonly Entry[]): boolean {
  return puts(entry) && !settles(entry, log);
}

/** The entry that beat a late one; null: the end of the round did. Times are rounded. */
function quicker(log: readonly Entry[], late: Entry): Entry | null {
  if (late.behind === undefined) return null;
  const came = late.at - late.behind;
  const off = (entry: Entry): number => Math.abs(entry.at - came);
  const cards = log.filter((entry) => entry.round === late.round && comes(entry, log) && off(entry) <= 1);
  return cards.sort((one, other) => off(one) - off(other))[0] ?? null;
}

const runner = ({ seat, action, behind = 0 }: Entry): Runner => ({ seat, card: action.card ?? null, behind });

/** The log in the order of the record: by arrival. What is claimed in calm mode is logged later than it came. */
export function byArrival(log: readonly Entry[]): Entry[] {
  return [...log].sort((one, other) => one.at - other.at);
}
