/**
 * From the choices that the server offers to what the board shows, and from a tap to what it means. Pure.
 *
 * There are no rules here: a space is a target because a choice names it. A tap on anything else becomes a question ("why not?") that the
 * server answers with the rule.
 */
import type { Mark, MarkKind } from '../board/marks';
import { type Action, type Choice, KINDS, type Phase, type Position, type Seat, type SpaceName, type Terrain } from './protocol';

export interface Asked {
  seat: Seat;
  phase: Phase;
  choices: readonly Choice[];
  /** Stacks with choices that have not arrived yet. */
  more?: ReadonlySet<SpaceName>;
  position: Position;
  terrain: ReadonlyMap<SpaceName, Terrain>;
}

/** A reinforcement that is built up disc by disc and sent when it is confirmed. */
export interface Draft {
  space: SpaceName;
  count: number;
}

/** Which of the actions that share the board's spaces a tap stands for. */
export type Mode = 'board' | 'moon' | 'sandtemple';

export interface Selection {
  mode: Mode;
  from: SpaceName | null;
  /** The construction space that was tapped before a stack: one of its builders is picked next. */
  site: SpaceName | null;
  palette: SpaceName | null;
  draft: Draft | null;
  /** Draft set-up: place the Emperor next. */
  emperor: boolean;
}

export const NOTHING: Selection = { mode: 'board', from: null, site: null, palette: null, draft: null, emperor: false };

export interface Gesture {
  selection: Selection;
  act?: Choice;
  ask?: Action;
  /** The only refusal that the answer to `ask` is shown for. */
  only?: string;
  /** The tap means nothing: no stack is selected. */
  idle?: boolean;
}

type Typed<T extends Action['type']> = Choice<Extract<Action, { type: T }>>;

export function ofType<T extends Action['type']>(choices: readonly Choice[], type: T): Typed<T>[] {
  return choices.filter((choice): choice is Typed<T> => choice.action.type === type);
}

export function initial(choices: readonly Choice[], more?: ReadonlySet<SpaceName>): Selection {
  const only = (type: Action['type']): boolean =>
    !more?.size &&
    choices.some((choice) => choice.action.type === type) &&
    choices.every((choice) => choice.action.type === type || choice.action.type === 'end');
  if (only('moon')) return { ...NOTHING, mode: 'moon' };
  if (only('sandtemple')) return { ...NOTHING, mode: 'sandtemple' };
  const emperor = choices.length > 0 && choices.every(({ action }) => action.type === 'place' && !!action.emperor);
  return { ...NOTHING, emperor };
}

/** Fewest discs lost first, then the Emperor kept. */
export function mildestFirst<C extends Choice>(choices: readonly C[]): C[] {
  const weight = ({ action, lost = 0, cost = 0 }: Choice): number =>
    2 * (lost + cost) +
    (action.type === 'move' && action.emperor_lost ? 1 : 0) +
    (action.type === 'build' && action.emperor ? 1 : 0) +
    (action.type === 'moon' && action.emperor ? 1 : 0);
  return [...choices].sort((a, b) => weight(a) - weight(b));
}

function collect(choices: readonly Choice[], space: (choice: Choice) => SpaceName | null): Map<SpaceName, Choice[]> {
  const found = new Map<SpaceName, Choice[]>();
  for (const choice of choices) {
    const at = space(choice);
    if (at === null) continue;
    const there = found.get(at);
    if (there) there.push(choice);
    else found.set(at, [choice]);
  }
  return found;
}

function marked(kind: MarkKind, groups: Map<SpaceName, Choice[]>): [SpaceName, Mark][] {
  return [...groups].map(([space, choices]) => [space, { kind, choices: mildestFirst(choices) }]);
}

const MOVES: ReadonlySet<string> = new Set(['move', 'regroup', 'attack', 'kamikaze', 'perish']);

function targets(asked: Asked, from: SpaceName): [SpaceName, Mark][] {
  const moves = ofType(asked.choices, 'move').filter(({ action }) => action.from === from);
  const goals = [...collect(moves, ({ action }) => (action.type === 'move' ? action.to : null))].map(
    ([space, choices]): [SpaceName, Mark] => {
      const sorted = mildestFirst(choices);
      const effect = sorted[0]?.effect ?? 'move';
      return [space, { kind: MOVES.has(effect) ? (effect as MarkKind) : 'move', choices: sorted }];
    },
  );
  const builds = ofType(asked.choices, 'build').filter(({ action }) => action.from === from);
  const sites = marked('build', collect(builds, ({ action }) => (action.type === 'build' ? action.site : null)));
  return [...goals, ...sites];
}

function starts(asked: Asked): [SpaceName, Mark][] {
  const from = ({ action }: Choice): SpaceName | null =>
    action.type === 'move' || action.type === 'build' ? action.from : null;
  const stacks = collect(asked.choices, from);
  for (const space of asked.more ?? []) if (!stacks.has(space)) stacks.set(space, []);
  return marked('pick', stacks);
}

export function marks(asked: Asked, selection: Selection): Map<SpaceName, Mark> {
  const at = (type: Action['type']) => {
    const space = ({ action }: Choice): SpaceName | null =>
      action.type === type && 'space' in action ? (action.space ?? null) : null;
    return collect(asked.choices, space);
  };
  if (selection.mode === 'moon') return new Map(marked('moon', at('moon')));
  if (selection.mode === 'sandtemple') return new Map(marked('sandtemple', at('sandtemple')));
  if (selection.from !== null) {
    const others = starts(asked).filter(([space]) => space !== selection.from);
    return new Map([...others, ...targets(asked, selection.from)]);
  }
  if (asked.phase === 'place') {
    const wanted = ofType(asked.choices, 'place').filter(({ action }) => !!action.emperor === selection.emperor);
    return new Map(marked('place', collect(wanted, ({ action }) => (action.type === 'place' ? action.space : null))));
  }
  if (selection.site !== null) {
    const builders = buildersOf(asked, selection.site);
    return new Map(starts(asked).filter(([space]) => builders.includes(space)));
  }
  return new Map([...marked('swap', at('swap')), ...starts(asked), ...marked('reinforce', at('reinforce'))]);
}

/** With the Emperor where the choices demand it. */
export function draftChoice(asked: Asked, draft: Draft | null): Typed<'reinforce'> | null {
  if (!draft) return null;
  const fits = ofType(asked.choices, 'reinforce').filter(
    ({ action }) => action.space === draft.space && action.count === draft.count,
  );
  return fits[0] ?? null;
}

export function counts(asked: Asked, space: SpaceName): number[] {
  const found = ofType(asked.choices, 'reinforce').filter(({ action }) => action.space === space);
  return [...new Set(found.map(({ action }) => action.count))].sort((a, b) => a - b);
}

export function nextDraft(asked: Asked, draft: Draft | null, space: SpaceName): Draft | null {
  const here = draft?.space === space ? draft.count : 0;
  const count = counts(asked, space).find((n) => n > here);
  return count === undefined ? null : { space, count };
}

export function smallerDraft(asked: Asked, draft: Draft): Draft | null {
  const count = counts(asked, draft.space)
    .filter((n) => n < draft.count)
    .pop();
  return count === undefined ? null : { space: draft.space, count };
}

/**
 * A tap on another own stack that could be joined may also mean to select it, so it opens a palette with both. One that cannot be joined is
 * selected, and the server says if that is for its height. `dragged`: a stack was dropped there, which means to join.
 */
export function tap(asked: Asked, selection: Selection, space: SpaceName, dragged = false): Gesture {
  const mark = marks(asked, selection).get(space);
  if (selection.palette === space && mark?.kind !== 'reinforce') return { selection: { ...selection, palette: null } };
  if (!mark) return miss(asked, selection, space);
  if (mark.kind === 'pick' && selection.from !== null) {
    const ask = attempt(asked, selection.from, space);
    return dragged ? { selection, ask } : { selection: { ...NOTHING, from: space }, ask, only: 'too-high' };
  }
  if (mark.kind === 'pick') return { selection: { ...NOTHING, from: space, palette: selection.site } };
  if (mark.kind === 'reinforce') {
    const draft = nextDraft(asked, selection.draft, space);
    return { selection: { ...NOTHING, draft, palette: draft ? space : null } };
  }
  const [only, ...more] = mark.choices;
  // Losing the last disc is confirmed, and a building always shows its price if there is a choice.
  const either = mark.kind === 'regroup' && !dragged && isStart(asked, space);
  if (!only || more.length > 0 || either || mark.kind === 'perish') return { selection: { ...selection, palette: space } };
  return { selection, act: only };
}

export function isStart(asked: Asked, space: SpaceName): boolean {
  return starts(asked).some(([start]) => start === space);
}

/** Whether a route costs more than another one that does the same. */
function isWorse({ action, effect }: Choice, other: Choice): boolean {
  const that = other.action;
  if (action.type !== 'move' || that.type !== 'move' || effect !== other.effect) return false;
  if (that.emperor_lost && !action.emperor_lost) return false;
  const [zones, less] = [action.zones ?? [], that.zones ?? []];
  return less.length < zones.length && less.every((zone) => zones.includes(zone));
}

/** How many variants a palette shows at first. */
const FEW = 4;

/** Without the routes that cost more for the same. */
export function worthwhile(choices: readonly Choice[]): Choice[] {
  return choices.filter((choice) => !choices.some((other) => isWorse(choice, other))).slice(0, FEW);
}

export function waysOf(choices: readonly Choice[]): (readonly SpaceName[])[] {
  const ways = new Map(choices.flatMap(({ path }) => (path && path.length > 1 ? [[path.join(' '), path] as const] : [])));
  return [...ways.values()];
}

/** A tap where nothing is offered: deselect, or ask why. */
function miss(asked: Asked, selection: Selection, space: SpaceName): Gesture {
  const calm = { ...selection, palette: null };
  if (selection.draft?.space === space) return { selection: calm };
  if (selection.from === space) return { selection: NOTHING };
  if (selection.from === null && selection.mode === 'board' && selection.site !== space) {
    const [builder, ...more] = buildersOf(asked, space);
    if (builder !== undefined && more.length === 0) return { selection: { ...NOTHING, from: builder, palette: space } };
    if (builder !== undefined) return { selection: { ...NOTHING, site: space } };
  }
  const ask = question(asked, selection, space);
  const idle = selection.from === null && selection.site === null && selection.draft === null;
  return ask ? { selection: calm, ask } : { selection: deselect(asked, selection), ...(idle && { idle }) };
}

/** After Escape or a tap beside the board: first the palette closes, then the selection goes. */
export function deselect(asked: Asked | null, selection: Selection): Selection {
  if (selection.palette !== null && selection.from !== null) return { ...selection, palette: null };
  return asked ? initial(asked.choices, asked.more) : NOTHING;
}

/** The action that a tap on an impossible space stands for, so that the server can refuse it with a reason. */
export function question(asked: Asked, selection: Selection, space: SpaceName): Action | null {
  const { position, phase } = asked;
  const own = position.stacks[space]?.owner === asked.seat;
  if (selection.mode !== 'board') return { type: selection.mode, space };
  if (phase === 'swap') return { type: 'swap', space };
  if (phase === 'place') return { type: 'place', space, ...(selection.emperor && { emperor: true }) };
  if (selection.from !== null) return attempt(asked, selection.from, space);
  const reinforces = asked.choices.some(({ action }) => action.type === 'reinforce');
  if (phase === 'reinforce' || (phase === 'after' && reinforces)) {
    const emperor = position.reserve[asked.seat]?.emperor ?? false;
    return { type: 'reinforce', space, count: 1, ...(emperor && { emperor }) };
  }
  const stack = position.stacks[space];
  if (!stack || (phase !== 'action' && phase !== 'second')) return null;
  return own ? null : { type: 'move', from: space, to: space };
}

const GROUND: ReadonlySet<Terrain> = new Set<Terrain>(['sand', 'tempest']);

function attempt(asked: Asked, from: SpaceName, space: SpaceName): Action {
  const terrain = asked.terrain.get(space);
  if (terrain === undefined || GROUND.has(terrain)) return { type: 'move', from, to: space };
  const there = asked.position.buildings[space];
  const next = there ? KINDS[KINDS.indexOf(there.kind) + 1] : 'camp';
  const kind = there && there.owner !== asked.seat ? there.kind : (next ?? 'castle');
  return { type: 'build', from, site: space, kind };
}

export function buildersOf(asked: Asked, site: SpaceName): SpaceName[] {
  return [...new Set(ofType(asked.choices, 'build').flatMap(({ action }) => (action.site === site ? [action.from] : [])))];
}
