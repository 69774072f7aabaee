import { describe, expect, it } from 'vitest';
import { choicesOf, readSearch, writeSearch } from './archive';

describe('a search', () => {
  it('is an address that can be shared', () => {
    const query = 'player=Ann+%26+Co&player=Bo&option=variants%3Amoon&game=eko&rated=true&since=2026-01-01';
    expect(writeSearch(readSearch(query))).toBe(query);
    expect(readSearch(query)).toMatchObject({ player: 'Ann & Co', other: 'Bo', options: ['variants:moon'] });
  });

  it('leaves out empty fields, and options without a game', () => {
    expect(writeSearch({ ...readSearch(''), player: '  ', other: ' Bo ', options: ['variants:moon'] })).toBe(
      'player=Bo',
    );
  });
});

it('searchable options are those with a list of values, and switches', () => {
  const about = { name: 'g', players: [2, 4], bots: [], levels: [], stand_in: 'b' } as const;
  const options = {
    variants: { default: [], values: ['moon'], several: true as const },
    setup: { default: 'standard', values: ['standard', 'draft'] },
    calm: { default: false },
    target: { default: 25 },
  };
  const found = choicesOf({ ...about, players: [2, 4], bots: [], levels: [], options });
  expect(found).toEqual([
    { option: 'variants:moon', set: { variants: ['moon'] } },
    { option: 'setup:draft', set: { setup: 'draft' } },
    { option: 'calm:true', set: { calm: true } },
  ]);
});
