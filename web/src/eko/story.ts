/** The log in words, in a short and a long form. */

import { spaceName } from '../board/names';
import type { SeatDecision } from '../net/protocol';
import { nameOf } from '../table/seats';
import { listed, maybe, plural, signed, t, type Values } from '../ui/i18n.svelte';
import type { Action, BoardData, Entry, Options, Player, Seat, SeatInfo } from './protocol';

export interface Scene {
  seats: readonly SeatInfo[];
  board: BoardData | null;
}

type Planned = Pick<Entry, 'seat' | 'action'>;

const SPACES = ['from', 'to', 'site', 'space'] as const;

function valuesOf({ seat, action, height, met, razed }: Planned & Partial<Entry>, { seats, board }: Scene): Values {
  const values: Record<string, string | number> = { name: nameOf(seats, seat) };
  for (const key of SPACES) {
    const space = (action as Partial<Record<(typeof SPACES)[number], string>>)[key];
    if (space !== undefined) values[key] = spaceName(board, space);
  }
  if (action.type === 'build') values['kind'] = t(`kind.${action.kind}`);
  const owner = action.type === 'ransom' ? action.captive : (met?.owner ?? razed?.owner);
  if (owner !== undefined) values['owner'] = nameOf(seats, owner);
  if (height !== undefined) values['height'] = height;
  if (met) values['n'] = met.height;
  return values;
}

function words(entry: Planned & Partial<Entry>, scene: Scene, isShort: boolean): string {
  const { action, effect = action.type === 'swap' && !action.space ? 'keep' : action.type } = entry;
  const values = valuesOf(entry, scene);
  if (action.type === 'reinforce')
    return plural(isShort ? 'log.short.reinforce' : 'log.reinforce', action.count, values);
  if (action.type === 'place' && action.emperor)
    return t(isShort ? 'log.short.place.emperor' : 'log.place.emperor', values);
  return maybe(isShort ? `log.short.${effect}` : `log.${effect}`, values) ?? '';
}

/** Changes of points: that of the player who decided without a name, the others' with theirs. */
function pointsLine({ points = [], seat }: Entry, seats: readonly SeatInfo[]): string {
  const changed = points.flatMap((change, of): [Seat, number][] => (change ? [[of, change]] : []));
  const said = changed.sort(([a], [b]) => Number(b === seat) - Number(a === seat) || a - b);
  return said
    .map(([of, change]) => (of === seat ? signed(change) : `${nameOf(seats, of)} ${signed(change)}`))
    .join(', ');
}

function parts(entry: Entry, { seats }: Scene): string[] {
  const { action, effect, met, lost = 0, freed = [] } = entry;
  const found: string[] = [];
  if (lost > 0 && effect !== 'perish') found.push(plural('result.lost', lost));
  if (met?.emperor) found.push(t('log.captures', { owner: nameOf(seats, met.owner) }));
  if (freed.length > 0 && action.type !== 'ransom')
    found.push(t('log.exchange', { names: listed(freed.map((seat) => nameOf(seats, seat))) }));
  const points = pointsLine(entry, seats);
  return points ? [...found, points] : found;
}

export function shortLine(entry: Entry, scene: Scene): string {
  return [words(entry, scene, true), ...parts(entry, scene)].join(' · ');
}

/** The short form of a decision whose effect is not known yet, as the others decide before it. */
export function plannedLine({ seat, action }: SeatDecision, scene: Scene): string {
  return words({ seat, action: action as unknown as Action }, scene, true);
}

export function longLine(entry: Entry, scene: Scene): string {
  return [words(entry, scene, false), ...parts(entry, scene)].join(' · ');
}

/** The first decision after the latest earlier turn of this player. */
export function sinceMyTurn(log: readonly Entry[], me: Seat | null): number {
  const latest = log.at(-1);
  if (me === null) return log.findLastIndex(({ turn, seat }) => turn !== latest?.turn || seat !== latest.seat) + 1;
  const before = log.slice(0, log.findLastIndex(({ seat }) => seat !== me) + 1);
  return before.findLastIndex(({ seat }) => seat === me) + 1;
}

/** The others' last turns, and one's own latest decision. */
export function marked(log: readonly Entry[], me: Seat | null): Entry[] {
  const latest = log.at(-1);
  if (!latest) return [];
  const recent = latest.turn === 0 ? [] : log.slice(sinceMyTurn(log, me)).filter(({ seat }) => seat !== me);
  return recent.includes(latest) ? recent : [...recent, latest];
}

/** The points of each seat before the first decision and after each, computed backwards from the present. */
export function pointsOverTime(log: readonly Entry[], players: readonly Player[]): number[][] {
  return players.map(({ points }, seat) => {
    const values = [points.total];
    for (const entry of [...log].reverse()) values.unshift((values[0] ?? 0) - (entry.points?.[seat] ?? 0));
    return values;
  });
}

/** The decision that a review calls the turning point, if there is one. */
export function turningPoint(
  review: { facts: readonly { code: string; n: number }[] } | null | undefined,
): number | undefined {
  return review?.facts.find(({ code }) => code === 'review/turning-point')?.n;
}

export function freshOptions({ players, variants, setup, clock }: Options): Options {
  return { players, variants, setup, ...(clock && { clock }) };
}
