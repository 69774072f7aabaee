import { beforeEach, describe, expect, it } from 'vitest';
import { Refused } from '../../net/api';
import type { OpeningInfo, OpeningSource } from '../../protocol/messages';
import { REST } from '../../table/analysis/engine.svelte';
import { emptyStorage, FakeServer } from '../../table/testing';
import { loadTexts } from '../../ui/i18n.svelte';
import type { Action, BoardSpace, Effect, Entry, Terrain } from '../protocol';
import type { Scene } from '../story';
import { chipsOf, decisionLine, isOnePlace, moveLine, Openings } from './openings.svelte';

const source = (games: number): OpeningSource => ({ board: true, games, moves: [] });
const info = (games: number | null, bots: number | null): OpeningInfo => ({
  is_opening: true,
  games: games === null ? null : source(games),
  bots: bots === null ? null : source(bots),
});

/** Openings whose answers the test gives, by the number of the decision. */
function opened() {
  const server = new FakeServer();
  const waiting = new Map<
    number | undefined,
    { answer: (found: OpeningInfo) => void; refuse: (error: unknown) => void }
  >();
  const openings = new Openings(
    server.later,
    ({ after }) => new Promise((answer, refuse) => waiting.set(after, { answer, refuse })),
  );
  const nodes = [{}, {}];
  const show = (n: 0 | 1): void => openings.show(nodes[n]!, { after: n });
  return { server, waiting, openings, show };
}
const settled = (): Promise<void> => Promise.resolve().then(() => undefined);

beforeEach(() => void emptyStorage());

describe('openings', () => {
  it('are asked for once a position stays, and known afterwards', async () => {
    const { server, waiting, openings, show } = opened();
    show(0);
    show(1);
    server.pass(REST);
    expect([...waiting.keys()]).toEqual([1]);
    expect(openings.isStale).toBe(true);
    waiting.get(1)!.answer(info(3, 7));
    await settled();
    expect([openings.source?.games, openings.isStale]).toEqual([3, false]);
    show(0);
    expect(openings.isStale).toBe(true);
    show(1);
    server.pass(REST);
    expect([...waiting.keys()]).toEqual([1]);
    expect(openings.source?.games).toBe(3);
  });

  it('drop an answer that comes too late', async () => {
    const { server, waiting, openings, show } = opened();
    show(0);
    server.pass(REST);
    show(1);
    server.pass(REST);
    waiting.get(1)!.answer(info(1, null));
    waiting.get(0)!.answer(info(2, null));
    await settled();
    expect(openings.source?.games).toBe(1);
  });

  it('show the source that knows something', async () => {
    const { server, waiting, openings, show } = opened();
    show(0);
    server.pass(REST);
    waiting.get(0)!.answer(info(null, 7));
    await settled();
    expect([openings.shown, openings.source?.games]).toEqual(['bots', 7]);
    show(1);
    server.pass(REST);
    waiting.get(1)!.answer(info(3, 7));
    await settled();
    expect(openings.shown).toBe('games');
    openings.choose('bots');
    expect(openings.source?.games).toBe(7);
  });

  it('say what went wrong, and nothing else', async () => {
    const { server, waiting, openings, show } = opened();
    show(0);
    server.pass(REST);
    waiting.get(0)!.refuse(new Refused('some/code', 'people play'));
    await settled();
    expect([openings.found, openings.problem]).toEqual([null, 'people play']);
    show(1);
    expect(openings.problem).toBe(null);
  });

  it('stay open in the next visit', () => {
    const { openings, server } = opened();
    expect(openings.isOn).toBe(false);
    openings.toggle();
    expect(new Openings(server.later).isOn).toBe(true);
  });
});

await loadTexts('eko');
await loadTexts('eko/study');

const space = (name: string, q: number, terrain: Terrain): BoardSpace => ({
  space: `${q},0`,
  name,
  q,
  r: 0,
  terrain,
  tile: 0,
});
const SCENE: Scene = {
  seats: [],
  board: {
    spaces: [space('b4', 0, 'sand'), space('c5', 1, 'capital')],
    tiles: [],
    portals: [],
    pyramids: [],
    beacons: [],
  },
};
const entry = (action: Action, effect: Effect, more: Partial<Entry> = {}): Entry => ({
  n: 1,
  turn: 3,
  seat: 0,
  action,
  effect,
  notation: 'its notation',
  at: 0,
  ...more,
});

describe('a move of several stacks', () => {
  const build = entry({ type: 'build', from: '0,0', site: '1,0', kind: 'camp', emperor: true }, 'build');
  const attack = entry({ type: 'move', from: '0,0', to: '1,0' }, 'attack', {
    met: { owner: 1, height: 2, emperor: true },
  });

  it('is named after what it does and where', () => {
    expect(moveLine(build, SCENE, true)).toBe('Encampment · c5 · the Emperor is spent');
    expect(moveLine(build, SCENE, false)).toBe('Encampment · Capital · the Emperor is spent');
    expect(moveLine(attack, SCENE, true)).toBe('Attack on a stack of 2 · c5 · captures an Emperor');
    expect(moveLine(attack, SCENE, false)).toBe('Attack on a stack of 2 · captures an Emperor');
    expect(moveLine(entry({ type: 'reinforce', space: '0,0', count: 2 }, 'reinforce'), SCENE, false)).toBe(
      '2 discs back',
    );
  });

  it('of one stack is a decision in words', () => {
    expect(decisionLine(build, SCENE)).toBe('Encampment on c5 · the Emperor is spent');
  });

  it('has a sign for each stack, the notation where that is not enough', () => {
    expect(chipsOf([build], SCENE, true)).toEqual(['b4']);
    expect(chipsOf([build], SCENE, false)).toEqual(['b4 → c5']);
    expect(chipsOf([build, attack], SCENE, true)).toEqual(['its notation', 'its notation']);
  });

  it('may be about spaces that a symmetry of the board maps to each other', () => {
    expect(isOnePlace([build, attack])).toBe(true);
    expect(isOnePlace([build, { action: { type: 'build', from: '1,0', site: '0,0', kind: 'camp' } }])).toBe(false);
  });
});
