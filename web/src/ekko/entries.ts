/** What entries of the log mean for what is shown. Pure. */
import type { Card, Entry, State } from './protocol';

/** Whether an entry put its card on the play zone. */
export function puts({ verdict }: Entry): boolean {
  return verdict === 'play' || verdict === 'mirror' || verdict === 'claim';
}

/** The card that was turned over in a round (K1.3): the lowest of the play zone, or the first that was answered; null before. */
export function turnedOver(round: number, log: readonly Entry[], state: State | null): Card | null {
  const lowest = state?.position.turn.round === round ? state.position.zone[0] : undefined;
  return lowest ?? log.find((entry) => entry.round === round && entry.on !== undefined)?.on ?? null;
}

/** Whether an entry only settles the effect of a mirror that has been seen already, as it was claimed. */
export function settles({ verdict, round, action }: Entry, log: readonly Entry[]): boolean {
  return verdict === 'mirror' && log.some((other) => other.verdict === 'claim' && other.round === round && other.action.card === action.card);
}

/** The entry that has put a card on top within the last moments; null: it lies there for longer. */
export function freshlyPut(top: Card | undefined, recent: readonly Entry[], log: readonly Entry[]): Entry | null {
  return recent.find((entry) => entry.action.card === top && puts(entry) && !settles(entry, log)) ?? null;
}

/** The entry under which the list tells one: a claimed mirror is told with its effect. */
export function toldAs(n: number, log: readonly Entry[]): number {
  const entry = log[n - 1];
  if (entry?.verdict !== 'claim') return n;
  return log.find(({ verdict, round, action }) => verdict === 'mirror' && round === entry.round && action.card === entry.action.card)?.n ?? n;
}

/**
 * The log as it is told: a mirror stands where it was claimed, before what came too late for it, and not a second time where its
 * effect was chosen.
 */
export function asTold(log: readonly Entry[]): Entry[] {
  const settled = new Map(log.filter((entry) => settles(entry, log)).map((entry) => [`${entry.round} ${entry.action.card}`, entry]));
  const late = new Set(settled.values());
  return log
    .filter((entry) => !late.has(entry))
    .map((entry) => (entry.verdict === 'claim' && settled.get(`${entry.round} ${entry.action.card}`)) || entry);
}
