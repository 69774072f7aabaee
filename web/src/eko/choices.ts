/**
 * Decodes what a seat may do from the server's compact rows. Spaces are numbers in the order of the board, sets of spaces hexadecimal
 * numbers whose bit n is space n (docs/reference/protocol.md, "Choices").
 */
import { KINDS, type Action, type Choice, type Effect, type Position, type Row, type Rows, type SpaceName, type WayNode } from './protocol';

export function members(set: string): number[] {
  const digits = [...set].reverse().map((digit) => parseInt(digit, 16));
  return digits.flatMap((digit, place) => [0, 1, 2, 3].filter((bit) => (digit >> bit) & 1).map((bit) => 4 * place + bit));
}

export function choicesOf(rows: Rows, spaces: readonly SpaceName[], position: Position): Choice[] {
  const name = (space: number): SpaceName => spaces[space] ?? '';
  const effects = Object.keys(rows).filter((key) => key !== 'more') as Effect[];
  return effects.flatMap((effect) => (rows[effect] ?? []).flatMap((row) => choicesOfRow(effect, row, name, position)));
}

function choicesOfRow(effect: Effect, row: Row, name: (space: number) => SpaceName, position: Position): Choice[] {
  const emperor = row.at(-1) === true;
  switch (effect) {
    case 'move':
    case 'regroup':
    case 'attack':
    case 'kamikaze':
    case 'perish':
      return moves(effect, row, name, position);
    case 'build':
    case 'upgrade':
    case 'replace': {
      const [from, sites, level, cost] = row as readonly [number, string, number, number];
      const kind = KINDS[level - 1] ?? 'camp';
      const height = heightOf(position, name(from)) - cost;
      const action = (site: number): Action => ({ type: 'build', from: name(from), site: name(site), kind, ...(emperor && { emperor }) });
      return members(sites).map((site) => ({ action: action(site), effect, cost, height }));
    }
    case 'reinforce': {
      const [spaces, count] = row as readonly [string, number];
      return members(spaces).map(name).map((space) => {
        const action: Action = { type: 'reinforce', space, count, ...(emperor && { emperor }) };
        return { action, effect, height: heightOf(position, space) + count };
      });
    }
    case 'ransom':
      return members(String(row[0])).map((captive) => ({ action: { type: 'ransom', captive }, effect }));
    case 'march':
      return [{ action: { type: 'march' }, effect, cost: Number(row[0]) }];
    case 'end':
      return [{ action: { type: 'end' }, effect }];
    case 'keep':
      return [{ action: { type: 'swap' }, effect }];
    case 'swap':
    case 'sandtemple':
    case 'place':
    case 'moon': {
      const [spaces, cost] = row;
      const action = (space: number): Action => ({ type: effect, space: name(space), ...(emperor && { emperor }) });
      return members(String(spaces)).map((space) => ({ action: action(space), effect, ...(typeof cost === 'number' && { cost }) }));
    }
  }
}

function moves(effect: Effect, row: Row, name: (space: number) => SpaceName, position: Position): Choice[] {
  const [from, targets, zones = [], emperor_lost = false] = row as readonly [number, string, (readonly number[])?, boolean?];
  const [source, lost] = [name(from), zones.length];
  const left = heightOf(position, source) - lost;
  const more = { ...(lost > 0 && { zones: zones.map(name) }), ...(emperor_lost && { emperor_lost }) };
  return members(targets).map(name).map((to) => {
    const vanishes = effect === 'perish' || effect === 'kamikaze';
    const height = vanishes ? 0 : left + (effect === 'regroup' ? heightOf(position, to) : 0);
    return { action: { type: 'move', from: source, to, ...more }, effect, lost, height };
  });
}

function heightOf({ stacks }: Position, space: SpaceName): number {
  return stacks[space]?.height ?? 0;
}

/** Paths by the space where they end and the zones that they cross. */
export function pathsOf(nodes: readonly WayNode[], spaces: readonly SpaceName[]): Map<string, SpaceName[]> {
  const paths = new Map<string, SpaceName[]>();
  const reached: { path: SpaceName[]; zones: number[] }[] = [];
  for (const [space, before, zone] of nodes) {
    const way = reached[before] ?? { path: [], zones: [] };
    const here = { path: [...way.path, spaces[space] ?? ''], zones: zone === undefined ? way.zones : [...way.zones, zone] };
    reached.push(here);
    const key = wayKey(here.path.at(-1) ?? '', here.zones.sort((a, b) => a - b).map((z) => spaces[z] ?? ''));
    if (!paths.has(key)) paths.set(key, here.path);
  }
  return paths;
}

export function withPaths(choices: readonly Choice[], from: SpaceName, paths: ReadonlyMap<string, SpaceName[]>): Choice[] {
  return choices.map((choice) => {
    const { action } = choice;
    const path = action.type === 'move' && action.from === from ? paths.get(wayKey(action.to, action.zones ?? [])) : undefined;
    return path ? { ...choice, path } : choice;
  });
}

function wayKey(space: SpaceName, zones: readonly SpaceName[]): string {
  return [space, ...zones].join('~');
}
