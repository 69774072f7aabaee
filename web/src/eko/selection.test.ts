import { describe, expect, it } from 'vitest';
import { kindsOf } from '../board/marks';
import type { Action, Choice, Effect, Phase, Position, Terrain } from './protocol';
import * as select from './selection';
import { type Asked, NOTHING } from './selection';

function choice(action: Action, effect: Effect, more: Partial<Choice> = {}): Choice {
  return { action, effect, ...more };
}

const POSITION: Position = {
  players: 2,
  stacks: {
    '0,0': { owner: 0, height: 2, emperor: true },
    '1,0': { owner: 0, height: 1, emperor: false },
    '2,0': { owner: 1, height: 1, emperor: false },
  },
  buildings: { '0,1': { owner: 1, kind: 'camp' } },
  reserve: [
    { discs: 2, emperor: false },
    { discs: 0, emperor: false },
  ],
  removed: [0, 0],
  captives: [[], []],
  turn: { number: 3, player: 0, phase: 'action' },
};
const TERRAIN = new Map<string, Terrain>([
  ['0,0', 'sand'],
  ['1,0', 'sand'],
  ['2,0', 'sand'],
  ['0,1', 'canyon'],
  ['1,1', 'chasm'],
  ['3,0', 'tempest'],
]);

function asked(choices: Choice[], phase: Phase = 'action', position = POSITION): Asked {
  return { seat: 0, phase, choices, position, terrain: TERRAIN };
}

const ATTACK = choice({ type: 'move', from: '0,0', to: '2,0' }, 'attack', { height: 2, lost: 0 });
const REGROUP = choice({ type: 'move', from: '0,0', to: '1,0' }, 'regroup', { height: 3, lost: 0 });
const COSTLY = choice({ type: 'move', from: '0,0', to: '3,0', zones: ['3,0'] }, 'move', { height: 1, lost: 1 });
const LOST = choice({ type: 'move', from: '0,0', to: '3,0', zones: ['3,0'], emperor_lost: true }, 'move', {
  height: 1,
  lost: 1,
});
const TOWER = choice({ type: 'build', from: '0,0', site: '0,1', kind: 'tower', emperor: true }, 'replace', { cost: 2 });
const CAMP = choice({ type: 'build', from: '0,0', site: '0,1', kind: 'camp' }, 'replace', { cost: 1 });
const STEP = choice({ type: 'move', from: '1,0', to: '3,0' }, 'move', { height: 1, lost: 0 });
const ALL = [LOST, COSTLY, TOWER, ATTACK, REGROUP, CAMP, STEP];

describe('an action', () => {
  it('begins with the stacks that can act', () => {
    const marks = select.marks(asked(ALL), NOTHING);
    expect([...marks.keys()].sort()).toEqual(['0,0', '1,0']);
    expect(new Set([...marks.values()].map(({ kind }) => kind))).toEqual(new Set(['pick']));
  });

  it('shows what the picked stack can do, each kind by itself', () => {
    const marks = select.marks(asked(ALL), { ...NOTHING, from: '0,0' });
    const kinds = Object.fromEntries([...marks].map(([space, { kind }]) => [space, kind]));
    expect(kinds).toEqual({ '2,0': 'attack', '1,0': 'regroup', '3,0': 'move', '0,1': 'build' });
    expect(kindsOf(marks.get('0,1')!)).toEqual(['camp', 'tower']);
  });

  it('picks, then decides where there is one path', () => {
    const picked = select.tap(asked(ALL), NOTHING, '0,0');
    expect(picked.selection.from).toBe('0,0');
    expect(select.tap(asked(ALL), picked.selection, '2,0').act).toBe(ATTACK);
  });

  it('opens a palette where there are several, the mildestFirst first', () => {
    const gesture = select.tap(asked(ALL), { ...NOTHING, from: '0,0' }, '3,0');
    expect(gesture.act).toBeUndefined();
    expect(gesture.selection.palette).toBe('3,0');
    const mark = select.marks(asked(ALL), gesture.selection).get('3,0');
    expect(mark?.choices).toEqual([COSTLY, LOST]);
  });

  it('asks before a stack gives its last disc to a tempest where it stands', () => {
    const perish = choice({ type: 'move', from: '3,0', to: '3,0', zones: ['3,0'] }, 'perish', { height: 0, lost: 1 });
    const first = select.tap(asked([perish]), NOTHING, '3,0');
    const second = select.tap(asked([perish]), first.selection, '3,0');
    expect(second.act).toBeUndefined();
    expect(second.selection.palette).toBe('3,0');
  });

  it('picks another stack where joining it is not offered', () => {
    const gesture = select.tap(asked([ATTACK, STEP]), { ...NOTHING, from: '0,0' }, '1,0');
    expect(gesture).toMatchObject({
      selection: { from: '1,0' },
      ask: { type: 'move', from: '0,0', to: '1,0' },
      only: 'too-high',
    });
  });

  it('asks why a stack cannot be dragged onto another one', () => {
    const gesture = select.tap(asked([ATTACK, STEP]), { ...NOTHING, from: '0,0' }, '1,0', true);
    expect(gesture).toEqual({ selection: { ...NOTHING, from: '0,0' }, ask: { type: 'move', from: '0,0', to: '1,0' } });
  });

  it('deselects a stack that is tapped again', () => {
    expect(select.tap(asked(ALL), { ...NOTHING, from: '0,0' }, '0,0').selection).toEqual(NOTHING);
  });

  it('can begin at the construction space', () => {
    const one = select.tap(asked(ALL), NOTHING, '0,1');
    expect(one.selection).toEqual({ ...NOTHING, from: '0,0', palette: '0,1' });
    const other = choice({ type: 'build', from: '1,0', site: '0,1', kind: 'camp' }, 'replace', { cost: 2 });
    const several = asked([...ALL, other]);
    const { selection } = select.tap(several, NOTHING, '0,1');
    expect([...select.marks(several, selection).keys()].sort()).toEqual(['0,0', '1,0']);
    const picked = select.tap(several, selection, '1,0').selection;
    expect(picked).toEqual({ ...NOTHING, from: '1,0', palette: '0,1' });
  });

  it('reports that nothing is selected', () => {
    expect(select.tap(asked(ALL), NOTHING, '1,1').idle).toBe(true);
  });

  it('asks why a space is not offered', () => {
    const from = { ...NOTHING, from: '1,0' };
    expect(select.tap(asked(ALL), from, '2,0').ask).toEqual({ type: 'move', from: '1,0', to: '2,0' });
    expect(select.tap(asked(ALL), from, '0,1').ask).toEqual({ type: 'build', from: '1,0', site: '0,1', kind: 'camp' });
    expect(select.tap(asked(ALL), NOTHING, '2,0').ask).toEqual({ type: 'move', from: '2,0', to: '2,0' });
  });
});

describe('a reinforcement', () => {
  const BACK = [1, 2, 3].map((count) =>
    choice({ type: 'reinforce', space: '1,0', count, emperor: true }, 'reinforce', { height: 1 + count }),
  );
  const position = { ...POSITION, turn: { ...POSITION.turn, phase: 'after' as const } };
  const here = asked([...BACK, choice({ type: 'march' }, 'march')], 'after', position);

  it('grows disc by disc and stops at the last', () => {
    let selection = NOTHING;
    const heights = [1, 2, 3].map(() => {
      selection = select.tap(here, selection, '1,0').selection;
      return select.draftChoice(here, selection.draft)?.height;
    });
    expect(heights).toEqual([2, 3, 4]);
    expect(select.nextDraft(here, selection.draft, '1,0')).toBeNull();
  });

  it('is made at once where one disc alone can come back', () => {
    const only = asked([BACK[0]!, choice({ type: 'march' }, 'march')], 'after', position);
    expect(select.tap(only, NOTHING, '1,0').act).toBe(BACK[0]);
    expect(select.tap(here, NOTHING, '1,0').act).toBeUndefined();
  });

  it('brings the Emperor where the choices do', () => {
    expect(select.draftChoice(here, { space: '1,0', count: 1 })?.action.emperor).toBe(true);
  });

  it('can be taken back disc by disc', () => {
    expect(select.smallerDraft(here, { space: '1,0', count: 2 })).toEqual({ space: '1,0', count: 1 });
    expect(select.smallerDraft(here, { space: '1,0', count: 1 })).toBeNull();
  });

  it('asks why another stack cannot be reinforced', () => {
    expect(select.tap(here, NOTHING, '0,0').ask).toEqual({ type: 'reinforce', space: '0,0', count: 1 });
  });
});

describe('other decisions', () => {
  it('swap and keep', () => {
    const swap = choice({ type: 'swap', space: '1,0' }, 'swap');
    const choices = asked([swap, choice({ type: 'swap' }, 'keep')], 'swap');
    expect([...select.marks(choices, NOTHING).keys()]).toEqual(['1,0']);
    expect(select.tap(choices, NOTHING, '1,0').act).toBe(swap);
  });

  it('place the selected disc', () => {
    const plain = choice({ type: 'place', space: '3,0' }, 'place');
    const emperor = choice({ type: 'place', space: '3,0', emperor: true }, 'place');
    const choices = asked([plain, emperor], 'place');
    expect(select.tap(choices, NOTHING, '3,0').act).toBe(plain);
    expect(select.tap(choices, { ...NOTHING, emperor: true }, '3,0').act).toBe(emperor);
    expect(select.initial([emperor]).emperor).toBe(true);
  });

  it('temples are chosen first, then their space', () => {
    const moon = [true, false].map((emperor) =>
      choice({ type: 'moon', space: '3,0', ...(emperor && { emperor }) }, 'moon', { cost: 2 }),
    );
    const choices = asked([...moon, choice({ type: 'end' }, 'end')], 'reinforce');
    expect(select.initial(choices.choices).mode).toBe('moon');
    const gesture = select.tap(choices, select.initial(choices.choices), '3,0');
    expect(gesture.selection.palette).toBe('3,0');
    const sand = asked([ATTACK, choice({ type: 'sandtemple', space: '2,0' }, 'sandtemple')]);
    expect(select.initial(sand.choices).mode).toBe('board');
    expect(select.tap(sand, { ...NOTHING, mode: 'sandtemple' }, '2,0').act?.effect).toBe('sandtemple');
  });

  it('Escape closes the palette first, then deselects', () => {
    const open = { ...NOTHING, from: '0,0', palette: '3,0' };
    const closed = select.deselect(asked(ALL), open);
    expect(closed).toEqual({ ...NOTHING, from: '0,0' });
    expect(select.deselect(asked(ALL), closed)).toEqual(NOTHING);
  });
});

describe('a tap on an own stack that could be joined', () => {
  const inHand = { ...NOTHING, from: '0,0' };
  it('asks which is meant', () => {
    expect(select.tap(asked([REGROUP, STEP]), inHand, '1,0')).toEqual({ selection: { ...inHand, palette: '1,0' } });
  });
  it('joins at once if the stack was dropped there, or that one could not act anyway', () => {
    expect(select.tap(asked([REGROUP, STEP]), inHand, '1,0', true).act).toBe(REGROUP);
    expect(select.tap(asked([REGROUP]), inHand, '1,0').act).toBe(REGROUP);
  });
});

describe('the paths to one target', () => {
  const along = (zones: string[], emperor_lost = false): Choice => ({
    action: { type: 'move', from: '0,0', to: '3,0', zones, ...(emperor_lost && { emperor_lost }) },
    effect: 'attack',
    lost: zones.length,
    path: ['0,0', ...zones, '3,0'],
  });
  const [a, b, ab, aE] = [along(['1,0']), along(['2,0']), along(['1,0', '2,0']), along(['1,0'], true)] as const;
  it('are those that cost no more for the same', () => {
    expect(select.worthwhile([a, aE, b, ab])).toEqual([a, aE, b]);
  });
  it('are left out if they cost the Emperor and another costs nothing or less', () => {
    const [free, abE] = [along([]), along(['1,0', '2,0'], true)];
    expect(select.worthwhile([free, aE, a])).toEqual([free]);
    expect(select.worthwhile([a, abE])).toEqual([a]);
    expect(select.worthwhile([aE, ab])).toEqual([aE, ab]);
  });
  it('are few at first', () => {
    expect(select.worthwhile(['1,0', '1,1', '1,2', '1,3', '1,4'].map((zone) => along([zone])))).toHaveLength(4);
  });
  it('are drawn once each', () => {
    expect(select.pathsOf([a, aE, b])).toEqual([a.path, b.path]);
  });
});
