import { describe, expect, it } from 'vitest';
import type { Effect, Entry } from './protocol';
import { soundOf } from './sounds';

const happened = (seat: number, ...effects: Effect[]): Entry[] =>
  effects.map((effect, n) => ({ n, turn: 1, seat, action: { type: 'end' }, effect, notation: '', at: 0 }));

describe('the sound of what happened at an Ekö table', () => {
  it.each([
    [['move', 'reinforce'], false, 'back'],
    [['move'], false, 'step'],
    [['build', 'reinforce'], false, 'build'],
    [['attack', 'build'], true, 'attack'],
    [['move', 'reinforce'], true, 'turn'],
    [['end'], false, null],
    [[], false, null],
  ] as const)('%j', (effects, called, sound) => {
    expect(soundOf(happened(1, ...effects), null, called, [0])).toBe(sound);
  });
  it('does not call a player who has just decided', () => {
    expect(soundOf(happened(0, 'move'), null, true, [0])).toBe('step');
  });
  it("ranks an Emperor's sound over others, and the end over all", () => {
    const capture = [{ ...happened(1, 'attack')[0]!, met: { owner: 0, height: 1, emperor: true } }];
    expect(soundOf(capture, null, true, [0])).toBe('emperor');
    expect(soundOf(capture, 'won', true, [0])).toBe('won');
  });
});
