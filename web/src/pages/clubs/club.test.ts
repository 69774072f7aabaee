import { describe, expect, it } from 'vitest';
import { FakeServer } from '../../table/testing';
import { LiveClub, rolesFor } from './club.svelte';

describe('the roles that one may give', () => {
  it.each([
    ['owner', 'organiser', ['owner', 'member', 'banned', null]],
    ['owner', 'member', ['owner', 'organiser', 'banned', null]],
    ['owner', 'owner', []],
    ['organiser', 'member', ['banned', null]],
    ['organiser', 'organiser', []],
    ['organiser', 'banned', [null]],
    ['member', 'member', []],
    ['member', 'banned', []],
  ] as const)('as %s to who is %s', (own, theirs, roles) => {
    expect(rolesFor(own, theirs)).toEqual(roles);
  });
});

describe('a club as its members see it', () => {
  const table = { game: 'eko', options: {}, since: 1, seats: [] };
  const club = new LiveClub(new FakeServer());

  it('has its messages in order, without those of blocked people, and its tables by free seats', () => {
    club.receive({
      type: 'club',
      about: { name: 'Harbour', text: '', open: false, members: 2 },
      tables: { a: { ...table, open: false }, b: { ...table, open: true } },
      lines: {
        10: { name: 'Bo', text: 'Ten', at: '' },
        9: { name: 'Ada', text: 'Nine', at: '' },
        8: { name: 'Rude', text: 'Eight', at: '' },
      },
      own: { role: 'member', hidden: [8] },
    });
    expect(club.lines.map(({ text }) => text)).toEqual(['Nine', 'Ten']);
    expect(club.free.map(({ id }) => id)).toEqual(['b']);
    expect(club.running.map(({ id }) => id)).toEqual(['a']);
  });
});
