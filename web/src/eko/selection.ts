/**
 * From the choices that the engine offers to what the board shows, and from a tap to what it means. Pure.
 *
 * There are no rules here: a space is a target because a choice names it. A tap on anything else becomes a question ("why not?") that the
 * engine answers with the rule.
 */
import type { Mark, MarkKind } from '../board/marks';
import {
  type Action,
  type Choice,
  KINDS,
  type Phase,
  type Position,
  type Seat,
  type SpaceName,
  type Terrain,
} from './protocol';

export interface Asked {
  seat: Seat;
  phase: Phase;
  choices: readonly Choice[];
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

type Typed<T extends Action['type']> = Choice<Action & { readonly type: T }>;

export function ofType<T extends Action['type']>(choices: readonly Choice[], type: T): Typed<T>[] {
  return choices.filter((choice): choice is Typed<T> => choice.action.type === type);
}

export function initial(choices: readonly Choice[]): Selection {
  const only = (type: Action['type']): boolean =>
    choices.some((choice) => choice.action.type === type) &&
    choices.every((choice) => choice.action.type === type || choice.action.type === 'end');
  if (only('moon')) return { ...NOTHING, mode: 'moon' };
  if (only('sandtemple')) return { ...NOTHING, mode: 'sandtemple' };
  const emperor = choices.length > 0 && choices.every(({ action }) => action.type === 'place' && !!action.emperor);
  return { ...NOTHING, emperor };
}

/** Whether the Emperor is spent, lost or placed. */
const takesEmperor = (action: Action): boolean =>
  ('emperor' in action && !!action.emperor) || ('emperor_lost' in action && !!action.emperor_lost);

/** Marks each space that choices stand for: with the fewest discs lost first, then the Emperor kept. */
function marked<C extends Choice>(
  kind: MarkKind,
  choices: readonly C[],
  space: (action: C['action']) => SpaceName | undefined,
): [SpaceName, Mark][] {
  const found = new Map<SpaceName, C[]>();
  for (const choice of choices) {
    const at = space(choice.action);
    if (at === undefined) continue;
    const there = found.get(at);
    if (there) there.push(choice);
    else found.set(at, [choice]);
  }
  const weight = ({ action, lost = 0, cost = 0 }: Choice): number => 2 * (lost + cost) + Number(takesEmperor(action));
  return [...found].map(([at, there]) => [at, { kind, choices: there.sort((a, b) => weight(a) - weight(b)) }]);
}

function targets(asked: Asked, from: SpaceName): [SpaceName, Mark][] {
  const moves = ofType(asked.choices, 'move').filter(({ action }) => action.from === from);
  const builds = ofType(asked.choices, 'build').filter(({ action }) => action.from === from);
  const goals = marked('move', moves, ({ to }) => to).map(([space, mark]): [SpaceName, Mark] => [
    space,
    { ...mark, kind: mark.choices[0]?.effect as MarkKind },
  ]);
  return [...goals, ...marked('build', builds, ({ site }) => site)];
}

function starts({ choices }: Asked): [SpaceName, Mark][] {
  const found = new Set<SpaceName>();
  for (const { action } of choices) if ('from' in action) found.add(action.from);
  return [...found].map((start) => [start, { kind: 'pick', choices: [] }]);
}

export function marks(asked: Asked, { mode, from, site, emperor }: Selection): Map<SpaceName, Mark> {
  const at = (type: 'moon' | 'sandtemple' | 'place' | 'swap' | 'reinforce', choices = asked.choices) =>
    marked(type, ofType(choices, type), ({ space }) => space);
  if (mode !== 'board') return new Map(at(mode));
  if (from !== null) return new Map([...starts(asked).filter(([space]) => space !== from), ...targets(asked, from)]);
  if (asked.phase === 'place')
    return new Map(
      at(
        'place',
        asked.choices.filter(({ action }) => takesEmperor(action) === emperor),
      ),
    );
  if (site !== null) {
    const builders = buildersOf(asked, site);
    return new Map(starts(asked).filter(([space]) => builders.includes(space)));
  }
  return new Map([...at('swap'), ...starts(asked), ...at('reinforce')]);
}

/** With the Emperor where the choices demand it. */
export function draftChoice(asked: Asked, draft: Draft | null): Typed<'reinforce'> | null {
  if (!draft) return null;
  const fits = ofType(asked.choices, 'reinforce').filter(
    ({ action }) => action.space === draft.space && action.count === draft.count,
  );
  return fits[0] ?? null;
}

function counts(asked: Asked, space: SpaceName): number[] {
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
 * What a tap on a space means. Discs that come back are counted only where there are several. A tap on another own stack that could be
 * joined may also mean to select it, so it opens a palette with both. One that can't be joined is selected, and a notice says so if its
 * height is the reason. `dragged`: a stack was dropped there, which means to join.
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
    if (draft && counts(asked, space).length === 1) return { selection, act: draftChoice(asked, draft)! };
    return { selection: { ...NOTHING, draft, palette: draft ? space : null } };
  }
  const [only, ...more] = mark.choices;
  // Losing the last disc is confirmed, and a building always shows its price if there is a choice.
  const either = mark.kind === 'regroup' && !dragged && isStart(asked, space);
  if (!only || more.length > 0 || either || mark.kind === 'perish')
    return { selection: { ...selection, palette: space } };
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

export function pathsOf(choices: readonly Choice[]): (readonly SpaceName[])[] {
  const paths = new Map(
    choices.flatMap(({ path }) => (path && path.length > 1 ? [[path.join(' '), path] as const] : [])),
  );
  return [...paths.values()];
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
  return asked ? initial(asked.choices) : NOTHING;
}

/** The action that a tap on an impossible space stands for, so that the engine can refuse it with a reason. */
function question(asked: Asked, selection: Selection, space: SpaceName): Action | null {
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

function buildersOf(asked: Asked, site: SpaceName): SpaceName[] {
  return [
    ...new Set(ofType(asked.choices, 'build').flatMap(({ action }) => (action.site === site ? [action.from] : []))),
  ];
}
