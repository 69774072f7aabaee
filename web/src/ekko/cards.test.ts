import { describe, expect, it } from 'vitest';
import { face, handHeight, isDouble, isPlus, mirrorOf, placeOf, rows } from './cards';

describe('the face of a card', () => {
  it('prints two digits', () => {
    expect([face(7), face(70), face(null)]).toEqual(['07', '70', '']);
  });
  it('has + on odd and − on even cards', () => {
    expect([67, 38].map(isPlus)).toEqual([true, false]);
  });
  it('prints the mirror number, but not on multiples of 11', () => {
    expect([mirrorOf(37), mirrorOf(1), mirrorOf(10), mirrorOf(66)]).toEqual([73, 10, 1, null]);
    expect([11, 12, 88].map(isDouble)).toEqual([true, false, true]);
  });
  it('mirrors there and back on all 98 cards', () => {
    for (let card = 1; card <= 98; card++) {
      const mirror = mirrorOf(card);
      if (mirror !== null) expect(mirrorOf(mirror)).toBe(card);
    }
  });
});

describe('the rows of a hand', () => {
  it.each([
    [6, [6]],
    [7, [3, 4]],
    [12, [6, 6]],
    [17, [5, 6, 6]],
    [0, [0]],
  ])('%i cards on a phone', (count, lengths) => {
    expect(rows(count, 348, 56, 2)).toEqual(lengths);
  });
});

it('seats the viewer at the bottom and the next player to the left', () => {
  const [own, left] = [placeOf(2, 2, 4), placeOf(3, 2, 4)];
  expect(own.y).toBeCloseTo(1);
  expect(left.x).toBeCloseTo(-1);
});

describe('the height of a hand', () => {
  it('is that of a card, and grows with every row', () => {
    expect(handHeight(1, 100)).toBe(152);
    expect(handHeight(2, 100)).toBe(297);
  });
  it('grows slowly where rows overlap', () => {
    expect(handHeight(3, 100) - handHeight(2, 100)).toBeLessThan(100);
    expect(handHeight(9, 58)).toBeGreaterThan(0.42 * 844);
  });
});
