import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Action } from './action';
import { Bots, LEVELS, type Level } from './bots';
import decisions from './decisions.json';
import { Ekko, type PositionJson, type SeenJson } from './position';

const module = new WebAssembly.Module(readFileSync(new URL('../ekko.wasm', import.meta.url)));
const [ekko, bots] = [new Ekko(module), new Bots(module)];

interface Decided {
  readonly position: PositionJson;
  readonly seat: number;
  readonly view: SeenJson;
  readonly word: string;
  readonly bots: Readonly<Record<Level, Action>>;
}

describe.each(decisions as unknown as Decided[])('position $#', ({ position, seat, view, word, bots: decided }) => {
  it('shows a seat what it may see', () => {
    expect(ekko.position(position).toSeen(seat)).toEqual(view);
  });

  it.each(LEVELS)('%s decides as in Python', (level) => {
    expect(bots.decide(view, seat, level, BigInt(word))).toEqual(decided[level]);
  });
});

describe('a mirror', () => {
  const asked = (decisions as unknown as Decided[]).find(({ view }) => view.turn.phase === 'mirror')!;
  const { turn, ...rest } = asked.view;
  const { asked: _, ...quiet } = turn;
  const view: SeenJson = { ...rest, turn: { ...quiet, phase: 'play' } };
  const { mirror } = ekko.position(asked.position);
  const word = BigInt(asked.word);

  it('is played by who holds it, as if asked', () => {
    const decided = asked.bots.strong;
    expect(bots.mirror(view, asked.seat, 'strong', word)).toEqual(decided.type === 'mirror' ? decided : undefined);
  });

  it('is played by nobody else, and not while it is blocked', () => {
    const blocked = { ...view, turn: { ...view.turn, blocked: [mirror] } };
    const without = { ...view, hand: view.hand.map((card) => (card === mirror ? view.zone[0]! : card)) };
    for (const seen of [blocked, without]) expect(bots.mirror(seen, asked.seat, 'strong', word)).toBeUndefined();
  });
});
