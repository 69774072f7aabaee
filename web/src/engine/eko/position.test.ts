import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { golden, goldenNames, moduleOf } from '../testing';
import type { Action } from './action';
import games from './games.json';
import { formatAction, parseAction } from './notation';
import { Eko, type EkoPosition, type PositionJson } from './position';

const MOST_LEAVES = 300_000;
/** Counted by playing each decision from TypeScript. */
const MOST_PLAYED = 50_000;
const eko = new Eko(moduleOf('eko'));
const json = (position: EkoPosition): string => JSON.stringify(position.toJson());

/** Sequences of a length, the last decisions counted without playing them; a game that ends earlier counts as one. */
function perft(position: EkoPosition, depth: number): number {
  const actions = position.legal();
  if (actions.length === 0) return 1;
  return depth === 1
    ? actions.length
    : actions.reduce((all, action) => all + perft(position.play(action), depth - 1), 0);
}

const MIXED = ['to', 'zones', 'site', 'kind', 'space', 'count'];
const TRIED = 12;

/** A decision that has been played, and a mixture of it and another one of its type. */
function wrong(action: Action, tried: readonly Action[]): Action[] {
  const other = tried.findLast(({ type }) => type === action.type) ?? {};
  return [action, { ...action, ...Object.fromEntries(Object.entries(other).filter(([key]) => MIXED.includes(key))) }];
}

/** Why the latest of these decisions are not legal, for the seat to move and for the next one. */
function refusals(position: EkoPosition, tried: readonly Action[]): ([string, string] | null)[] {
  const seat = position.actors()[0] ?? 0;
  const found = tried.slice(-TRIED).map((action) => position.whyNot(seat, action));
  if (tried.length > 0) found.push(position.whyNot((seat + 1) % position.players, tried.at(-1)!));
  return found.map((refusal) => (refusal ? [refusal.code, refusal.rule] : null));
}

describe('positions of Ekö', () => {
  it.each(goldenNames('perft'))('%s: as many decisions as Python and the reference count', (name) => {
    const [, start = '', ...rows] = golden('perft', name).trimEnd().split('\n');
    const position = eko.position(JSON.parse(start) as PositionJson);
    expect(json(position)).toBe(start);
    const counts = rows
      .map((row) => row.split(' ').map(Number) as [number, number])
      .filter(([, leaves]) => leaves <= MOST_LEAVES);
    expect(counts.map(([depth]) => [depth, position.perft(depth)])).toEqual(counts);
    const few = counts.filter(([, leaves]) => leaves <= MOST_PLAYED);
    expect(few.map(([depth]) => [depth, perft(position, depth)])).toEqual(few);
  });

  it.each(goldenNames('positions'))('%s: read and written', (name) => {
    const told = JSON.parse(golden('positions', name)) as { position: PositionJson };
    expect(json(eko.position(told.position))).toBe(JSON.stringify(told.position));
  });

  it.each(games)(
    'game $name: every state, JSON, choice, effect and refusal as in Python',
    ({ name, start, decisions, hash }) => {
      let position = eko.position(start as unknown as PositionJson);
      const record = name.endsWith('.txt') ? golden('games', name) : undefined;
      const lines = record ? [...record.matchAll(/^\d+\. seat \d: (.*)$/gm)].map(([, words]) => words!) : [];
      const words = lines.flatMap((line) => line.split(' '));
      const seen = createHash('sha256').update(JSON.stringify(position.layout.toJson()));
      let [random, count] = [1, 0];
      const tried: Action[] = [];
      for (; ; count++) {
        seen.update(position.state);
        const [actions, outcome] = [position.legal(), position.outcome()];
        const players = Array.from({ length: position.players }, (_, seat) => position.toPlayer(seat));
        const result = outcome ? [outcome.winners, outcome.reason, outcome.rule] : null;
        seen.update(JSON.stringify([position.toJson(), position.actors(), actions, players, result]));
        expect(Buffer.compare(eko.position(position.toJson()).state, position.state)).toBe(0);
        seen.update(JSON.stringify(refusals(position, tried)));
        if (actions.length === 0 || count === decisions) break;
        random = (random * 1664525 + 1013904223) % 2 ** 32;
        const word = words[count];
        const action = word
          ? parseAction(word, position.layout)
          : actions[Math.floor((random * actions.length) / 2 ** 32)]!;
        tried.push(...wrong(action, tried));
        const after = position.play(action);
        const told = { ...position.describe(action, after), notation: formatAction(action, position.layout) };
        if (word) expect(told.notation).toBe(word);
        else expect(parseAction(told.notation, position.layout)).toEqual(action);
        seen.update(JSON.stringify(Object.fromEntries(Object.entries(told).sort())));
        position = after;
      }
      expect(count).toBe(decisions);
      expect(seen.digest('hex').slice(0, 16)).toBe(hash);
      if (record)
        expect(record).toContain(`result: ${position.outcome()!.winners.join(', ')} by ${position.outcome()!.reason}`);
    },
  );

  it('refuses what is not legal', () => {
    const position = eko.position(games[0]!.start as unknown as PositionJson);
    const wrong: Action[] = [
      { type: 'end' },
      { type: 'swap', space: '99,99' },
      { type: 'move', from: '0,0', to: '1,0', zones: ['1,0', '0,0'] },
      { type: 'ransom', captive: 200 },
      { type: 'reinforce', space: '0,0', count: -1 },
    ];
    for (const action of wrong) {
      expect(position.isLegal(action)).toBe(false);
      expect(() => position.play(action)).toThrow(RangeError);
    }
    expect(() =>
      eko.layout(2, [
        ['A', 0, 0, 0],
        ['B', 1, 0, 0],
      ]),
    ).toThrow('overlap');
    expect(() => eko.layout(2, [['Z', 0, 0, 0]])).toThrow('E2.3');
  });
});
