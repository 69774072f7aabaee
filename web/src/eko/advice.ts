/** Hints in words. */
import { listed, maybe, plural, t, type Values } from '../shell/i18n.svelte';
import { nameOf } from '../shell/seats';
import type { Advice, Reason, Threats } from './hints.svelte';
import { spaceName } from './names';
import type { SpaceName } from './protocol';
import type { Table } from './table.svelte';

/** The keys of an action that name spaces. */
const PLACES: readonly string[] = ['from', 'to', 'site', 'space'];

/** What would be a good decision. */
export function adviceLine({ action }: Advice, table: Table): string {
  const kind = action.type === 'build' ? t(`kind.${action.kind}`) : '';
  const owner = action.type === 'ransom' ? nameOf(table.seats, action.captive) : '';
  const type = action.type === 'swap' && action.space === undefined ? 'keep' : action.type;
  const places = Object.entries(action).map(([key, value]) => [key, PLACES.includes(key) ? spaceName(table.board, value as SpaceName) : value] as const);
  return maybe(`advice.${type}`, { ...(Object.fromEntries(places) as Values), kind, owner }) ?? '';
}

/** What speaks for it. */
export function reasonLine(reasons: readonly Reason[]): string {
  const lines = reasons.map(({ reason, n }) => (n === undefined ? maybe(`advice.reason.${reason}`) : plural(`advice.reason.${reason}`, n)));
  return lines.filter((line) => line !== null).join(', ');
}

/** What an enemy stack could do next. */
export function threatsLine({ seat, place, moves, takes, sites }: Threats, table: Table): string {
  const name = nameOf(table.seats, seat);
  const named = (spaces: readonly SpaceName[]): string => listed(spaces.map((space) => spaceName(table.board, space)));
  const parts = [t('advice.threats', { name, space: spaceName(table.board, place) })];
  if (takes.length > 0) parts.push(t('advice.takes', { spaces: named(takes) }));
  parts.push(takes.length === 0 && moves.length === 0 && sites.length === 0 ? t('advice.nothing') : plural('advice.moves', moves.length));
  if (sites.length > 0) parts.push(t('advice.sites', { spaces: named(sites) }));
  return parts.join(' ');
}
