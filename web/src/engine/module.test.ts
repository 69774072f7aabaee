import { describe, expect, it } from 'vitest';
import { Kernels } from './module';
import { EKKO, EKO } from './records';
import { SEARCH } from './searchRecords';
import { moduleOf } from './testing';

describe('a module of kernels', () => {
  it('exports every kernel that is described', () => {
    for (const [game, { kernels }] of Object.entries({ eko: EKO, search: SEARCH, ekko: EKKO })) {
      const names = WebAssembly.Module.exports(moduleOf(game)).map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(Object.keys(kernels)));
    }
  });

  it('deals and plays whole games of EKKO as Python does', () => {
    const kernels = new Kernels(moduleOf('ekko'), EKKO);
    const [root, state, seeds, wins] = [
      kernels.array('STATE', 1),
      kernels.array('STATE', 1),
      kernels.array('uint64', 3),
      kernels.array('int64', 9),
    ];
    root.field('players', 'int8')[0] = 3;
    root.field('target', 'int32')[0] = 25;
    root.field('last', 'int8')[0] = root.field('player', 'int8')[0] = root.field('asked', 'int8')[0] = -1;
    seeds.items('uint64').set([1n, 2n, 3n]);
    const decisions = kernels.number('play_out', root, state, seeds, wins);
    expect([...wins.items('int64')].reduce((all, one) => all + one)).toBe(3n);
    expect(decisions).toBeGreaterThan(100);
  });

  it('returns arrays, and their memory is used again', () => {
    const kernels = new Kernels(moduleOf('eko'), EKO);
    const [board, state] = [kernels.array('BOARD', 1), kernels.array('STATE', 1)];
    board.field('players', 'int64')[0] = 2n;
    const first = kernels.items('export_state', 'int64', board, state);
    expect(first.shape).toEqual([EKO.SINGLE_NUMBERS + 2 * EKO.SEAT_FIELDS]);
    const size = kernels.memory.buffer.byteLength;
    for (let time = 0; time < 10_000; time++) kernels.items('export_state', 'int64', board, state);
    expect(kernels.memory.buffer.byteLength).toBe(size);
  });
});
