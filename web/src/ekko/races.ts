/** The races of a game as its log tells them: who was first on a card, and who came later by how much (K7.1, K7.2). Pure. */
import { puts, settles } from './entries';
import type { Card, Entry, Seat } from './protocol';

export interface Runner {
  seat: Seat;
  /** null: a draw. */
  card: Card | null;
  /** Milliseconds after who was first. */
  behind: number;
}
export interface Race {
  /** The top card that was answered. */
  on: Card | null;
  /** Milliseconds from when that card came until it was answered; null for the card that was turned over. */
  took: number | null;
  /** Whoever was first, then the others as they came. */
  runners: Runner[];
}

/** The race that an entry won or lost: every mirror, and every card that left others behind; null: there was none. */
export function raceAt(log: readonly Entry[], n: number): Race | null {
  const entry = log[n - 1];
  if (!entry) return null;
  const first = entry.verdict === 'late' ? quicker(log, entry) : comes(entry, log) ? entry : null;
  if (!first) return null;
  const late = log.filter((other) => other.verdict === 'late' && quicker(log, other) === first);
  if (late.length === 0 && first.verdict === 'play') return null;
  const before = log.filter((other) => other.round === first.round && other.n < first.n && comes(other, log)).at(-1);
  return { on: first.on ?? null, took: before ? moment(first) - moment(before) : null, runners: [first, ...late].map(runner) };
}

/** The mirror that lies on the play zone at the end of a log while its effect is being chosen; null: none. */
export function openMirror(log: readonly Entry[]): { seat: Seat; card: Card; on: Card } | null {
  const latest = log.findLast(({ verdict }) => verdict === 'claim' || verdict === 'mirror' || verdict === 'deal');
  if (latest?.verdict !== 'claim' || latest.action.card === undefined || latest.on === undefined) return null;
  return { seat: latest.seat, card: latest.action.card, on: latest.on };
}

/** Whether an entry is when its card came to lie on the play zone. */
function comes(entry: Entry, log: readonly Entry[]): boolean {
  return puts(entry) && !settles(entry, log);
}

/** The entry whose card was quicker than one that came too late: it came so many milliseconds before. */
function quicker(log: readonly Entry[], late: Entry): Entry | null {
  if (late.behind === undefined) return null;
  const came = moment(late) - late.behind;
  const off = (entry: Entry): number => Math.abs(moment(entry) - came);
  const cards = log.filter((entry) => entry.round === late.round && comes(entry, log));
  return cards.sort((one, other) => off(one) - off(other))[0] ?? null;
}

const moment = ({ at }: Entry): number => Date.parse(at);
const runner = ({ seat, action, behind = 0 }: Entry): Runner => ({ seat, card: action.card ?? null, behind });
