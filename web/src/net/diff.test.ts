import { expect, it } from 'vitest';
import { type Change, checksum, patched } from './diff';

const STATE = {
  stacks: { '0,0': { owner: 0, height: 2 }, '1,0': { owner: 1, height: 1 } },
  zone: [38, 67],
  held: null,
};

it.each<[Change, unknown]>([
  [{}, STATE],
  [{ held: [1] }, { ...STATE, held: 1 }],
  [{ held: [null] }, STATE],
  [{ held: null }, { stacks: STATE.stacks, zone: STATE.zone }],
  [
    { stacks: { '1,0': null, '2,0': [{ owner: 1, height: 1 }] } },
    { ...STATE, stacks: { '0,0': { owner: 0, height: 2 }, '2,0': { owner: 1, height: 1 } } },
  ],
  [{ stacks: { '0,0': { height: [3] } } }, { ...STATE, stacks: { ...STATE.stacks, '0,0': { owner: 0, height: 3 } } }],
  [{ zone: { '1': [76], '2': [12] } }, { ...STATE, zone: [38, 76, 12] }],
  [{ zone: [[]] }, { ...STATE, zone: [] }],
])('%j', (change, after) => {
  const before = structuredClone(STATE);
  expect(patched(before, change)).toEqual(after);
  expect(before).toEqual(STATE);
});

it('has the same checksum whatever the order of keys', () => {
  // the server's own figures: tests/unit/tables/test_difference.py has the same
  expect(checksum(STATE)).toBe('b138499f');
  expect(checksum({ held: null, zone: [38, 67], stacks: STATE.stacks })).toBe(checksum(STATE));
  expect(checksum({ name: 'Zoë "Z"\n\u0001', on: true })).toBe('a04bd43b');
});

it('leaves unchanged parts the same objects, so that they are not drawn again', () => {
  const after = patched(STATE, { zone: { '2': [5] } }) as typeof STATE;
  expect(after.stacks).toBe(STATE.stacks);
});
