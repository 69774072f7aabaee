/** Hints in games against bots: what an enemy stack could do next, one good decision with its reasons, and what a space is good for. */

import { spaceName } from '../board/names';
import { VARIANTS } from '../board/symbols';
import { type Reason, reasonsFor, threatsOf } from '../engine/eko/advice';
import type { Prospects } from '../engine/eko/position';
import { EKO } from '../engine/records';
import { nameOf } from '../table/seats';
import { listed, maybe, plural, t, type Values } from '../ui/i18n.svelte';
import { positionOf, searches } from './engine';
import { type Action, KINDS, type SpaceName, type Terrain } from './protocol';
import type { EkoTableState } from './table.svelte';

/** `reasons`: the most important first. */
export interface Advice {
  action: Action;
  reasons: readonly Reason[];
}
/** What the stack at a place could do next. */
export interface Threats extends Prospects {
  seat: number;
  place: SpaceName;
}
const ACTION_SPACES: readonly string[] = ['from', 'to', 'site', 'space'];

export function spacesOf(action: Action): SpaceName[] {
  return Object.entries(action).flatMap(([key, space]) => (ACTION_SPACES.includes(key) ? [space as SpaceName] : []));
}

export class Hints {
  threats = $state.raw<Threats | null>(null);
  advice = $state.raw<Advice | null>(null);
  place = $state<SpaceName | null>(null);
  thinks = $state(false);
  readonly #table: EkoTableState;
  #thinking: AbortController | null = null;

  constructor(table: EkoTableState) {
    this.#table = table;
  }

  get offered(): boolean {
    const { isAlone, yours, state, past } = this.#table;
    return isAlone && yours.length > 0 && state !== null && !state.outcome && !past;
  }

  /** Shows the decision of the level that also says in reviews what is best. What is shown meanwhile ends the search. */
  async advise(): Promise<void> {
    if (this.thinks) return;
    this.deselect();
    const { state } = this.#table;
    if (!state || !this.#table.asked) return;
    const { signal } = (this.#thinking = new AbortController());
    this.thinks = true;
    const action = await searches()
      .then((workers) => workers.choose({ position: state.position }, EKO.JUDGE, 0n, signal))
      .catch(() => null);
    if (signal.aborted) return;
    this.thinks = false;
    if (action) this.advice = { action, reasons: reasonsFor(positionOf(state.position), action) };
  }

  /** Returns whether the space has an enemy stack that can't be acted on. */
  look(space: SpaceName): boolean {
    const { shown, state, selection, yours, marks } = this.#table;
    const stack = shown?.position.stacks[space];
    const foreign = stack !== undefined && !yours.includes(stack.owner);
    const idle = selection.from === null && selection.site === null && selection.mode === 'board';
    if (!this.offered || !foreign || !idle || marks.has(space)) return false;
    const again = this.threats?.place === space;
    this.deselect();
    const threats = again || !state ? undefined : threatsOf(positionOf(state.position), space);
    if (threats) this.threats = { place: space, ...threats };
    return true;
  }

  explain(space: SpaceName): void {
    const { selection } = this.#table;
    if (selection.from !== null || selection.palette !== null || selection.draft !== null) return;
    this.deselect();
    this.place = space;
  }

  deselect(): void {
    this.#thinking?.abort();
    this.thinks = false;
    [this.threats, this.advice, this.place] = [null, null, null];
  }
}

export function adviceLine({ action }: Advice, table: EkoTableState): string {
  const places = Object.entries(action).map(
    ([key, value]) => [key, ACTION_SPACES.includes(key) ? spaceName(table.board, value as SpaceName) : value] as const,
  );
  const values = Object.fromEntries(places) as Values;
  if (action.type === 'build') return t(`advice.build.${action.kind}`, values);
  const owner = action.type === 'ransom' ? nameOf(table.seats, action.captive) : '';
  const stays = action.type === 'swap' && action.space === undefined;
  const met = action.type === 'move' ? table.state?.position.stacks[action.to] : undefined;
  const attacks = met !== undefined && met.owner !== table.asked?.seat;
  return maybe(`advice.${stays ? 'keep' : attacks ? 'attack' : action.type}`, { ...values, owner }) ?? '';
}

/** Why: what weighs most. */
export function reasonLine({ reasons: [first] }: Advice): string {
  if (!first) return '';
  const { reason, n } = first;
  return (n === undefined ? maybe(`advice.reason.${reason}`) : plural(`advice.reason.${reason}`, n)) ?? '';
}

export function threatsLine({ seat, place, moves, takes, sites }: Threats, table: EkoTableState): string {
  const name = nameOf(table.seats, seat);
  const named = (spaces: readonly SpaceName[]): string => listed(spaces.map((space) => spaceName(table.board, space)));
  const parts = [t('advice.threats', { name, space: spaceName(table.board, place) })];
  if (takes.length > 0) parts.push(t('advice.takes', { spaces: named(takes) }));
  parts.push(
    takes.length === 0 && moves.length === 0 && sites.length === 0
      ? t('advice.nothing')
      : plural('advice.moves', moves.length),
  );
  if (sites.length > 0) parts.push(t('advice.sites', { spaces: named(sites) }));
  return parts.join(' ');
}

interface Explained {
  text: string;
  rule: string;
}

const RULES: Readonly<Partial<Record<Terrain, string>>> = {
  sand: 'E5.1',
  chasm: 'E1.5',
  capital: 'E11.2',
  ...Object.fromEntries(VARIANTS.filter(({ sign }) => !sign).map(({ terrain, rule }) => [terrain, rule])),
};

/** The lines about a space: its ground, the landmarks at its corners, what stands there. */
export function explained(space: SpaceName, table: EkoTableState): Explained[] {
  const terrain = table.terrain.get(space);
  if (terrain === undefined) return [];
  const lines = [named(t(`terrain.${terrain}`), maybe(`terrain.${terrain}.help`), RULES[terrain] ?? 'E6.2')];
  for (const { name, sign, rule } of VARIANTS) {
    if (sign && table.board?.[`${sign}s`]?.some((spaces) => spaces.includes(space)))
      lines.push(named(t(`variant.${name}`), t(`variant.${name}.help`), rule));
  }
  const building = table.shown?.position.buildings[space];
  if (building) {
    const worth = KINDS.indexOf(building.kind) + 1;
    lines.push(named(t(`kind.${building.kind}`), t('legend.building', { cost: worth, points: worth }), 'E6.3'));
  }
  const stack = table.shown?.position.stacks[space];
  if (stack)
    lines.push(stack.emperor ? { text: t('legend.emperor'), rule: 'E5.6' } : { text: t('legend.stack'), rule: 'E1.6' });
  return lines;
}

function named(name: string, help: string | null, rule: string): Explained {
  return { text: help === null ? name : `${name}. ${help}`, rule };
}
