/** What lies on a space and what it is good for, with the numbers of the rules. */
import { maybe, t } from '../shell/i18n.svelte';
import type { Kind, SpaceName, Terrain } from './protocol';
import { KINDS } from './protocol';
import type { Table } from './table.svelte';

export interface Explained {
  text: string;
  rule: string;
}

const RULES: Readonly<Record<Terrain, string>> = {
  sand: 'E5.1',
  tempest: 'E10.2',
  chasm: 'E1.5',
  reg: 'E6.2',
  canyon: 'E6.2',
  mountain: 'E6.2',
  capital: 'E11.2',
  moon: 'E10.4',
  sandtemple: 'E10.5',
  wind: 'E10.7',
  portal: 'E10.1',
};

/** The lines about a space: its ground, the signs at its corners, what stands there. */
export function explained(space: SpaceName, table: Table): Explained[] {
  const terrain = table.terrain.get(space);
  if (terrain === undefined) return [];
  const lines = [named(t(`terrain.${terrain}`), maybe(`terrain.${terrain}.help`), RULES[terrain])];
  const near = (triples: readonly SpaceName[][] = []): boolean => triples.some((spaces) => spaces.includes(space));
  if (near(table.board?.pyramids)) lines.push(named(t('variant.pyramids'), t('variant.pyramids.help'), 'E10.6'));
  if (near(table.board?.beacons)) lines.push(named(t('variant.beacon'), t('variant.beacon.help'), 'E10.3'));
  const building = table.shown?.position.buildings[space];
  if (building) lines.push(ofKind(building.kind));
  const stack = table.shown?.position.stacks[space];
  if (stack) lines.push(stack.emperor ? { text: t('legend.emperor'), rule: 'E5.6' } : { text: t('legend.stack'), rule: 'E1.6' });
  return lines;
}

function ofKind(kind: Kind): Explained {
  const worth = KINDS.indexOf(kind) + 1;
  return named(t(`kind.${kind}`), t('legend.building', { cost: worth, points: worth }), 'E6.3');
}

function named(name: string, help: string | null, rule: string): Explained {
  return { text: help === null ? name : `${name}: ${help}`, rule };
}
