import { describe, expect, it } from 'vitest';
import { fill } from './i18n.svelte';
import { parseRoute } from './route.svelte';
import { nextColour, seatOf } from './seats';
import { spoken } from './settings.svelte';

describe('addresses', () => {
  it('name a table or the home page', () => {
    expect(parseRoute('/t/5n9wzdv3qbya')).toEqual({ page: 'table', id: '5n9wzdv3qbya', as: 'table' });
    expect(parseRoute('/t/5n9wzdv3qbya/screen')).toEqual({ page: 'table', id: '5n9wzdv3qbya', as: 'screen' });
    expect(parseRoute('/t/5n9wzdv3qbya/hand/')).toEqual({ page: 'table', id: '5n9wzdv3qbya', as: 'hand' });
    expect(parseRoute('/t/5n9wzdv3qbya/other')).toEqual({ page: 'nothing' });
    expect(parseRoute('/')).toEqual({ page: 'home', game: null });
    expect(parseRoute('/ekko')).toEqual({ page: 'home', game: 'ekko' });
    expect(parseRoute('/eko/')).toEqual({ page: 'home', game: 'eko' });
  });
  it('name lessons and rules of a game', () => {
    expect(parseRoute('/eko/learn')).toEqual({ page: 'learn', game: 'eko', lesson: null });
    expect(parseRoute('/ekko/learn/last-card/')).toEqual({ page: 'learn', game: 'ekko', lesson: 'last-card' });
    expect(parseRoute('/eko/rules')).toEqual({ page: 'rules', game: 'eko' });
  });
  it('name a game that is over, and what is looked for among them', () => {
    expect(parseRoute('/games/5n9wzdv3qbya')).toEqual({ page: 'game', id: '5n9wzdv3qbya' });
    expect(parseRoute('/archive')).toEqual({ page: 'archive', query: '' });
    expect(parseRoute('/archive?player=Ada&game=eko')).toEqual({ page: 'archive', query: 'player=Ada&game=eko' });
  });
  it('that name nothing are told apart', () => {
    for (const path of ['/t/', '/e/k', '/eko/learn/Move', '/nothing.html']) expect(parseRoute(path)).toEqual({ page: 'nothing' });
  });
});

describe('words', () => {
  it('fill their placeholders and leave unknown ones', () => {
    expect(fill('{name} has {n}, {other}', { name: 'Ada', n: 3 })).toBe('Ada has 3, {other}');
  });
  it('are chosen by wish, then by the browser, then English', () => {
    expect(spoken('cs', ['de-AT'])).toBe('cs');
    expect(spoken(null, ['pt-BR', 'de-AT', 'fr'])).toBe('de');
    expect(spoken(null, ['pt-BR'])).toBe('en');
    expect(spoken('csb', ['csb'])).toBe('en');
  });
});

describe('seats of a new game', () => {
  it('become those of the wire', () => {
    expect(seatOf({ kind: 'bot greedy', name: ' ', colour: 2 })).toEqual({ kind: 'bot', bot: 'greedy', colour: 2 });
    expect(seatOf({ kind: 'here', name: ' Ada ', colour: 0 })).toEqual({ kind: 'here', name: 'Ada', colour: 0 });
  });
  it('change colours, so that each keeps its own', () => {
    const seats = [0, 1, 2].map((colour) => ({ kind: 'here', name: '', colour }));
    nextColour(seats, 0);
    expect(seats.map(({ colour }) => colour)).toEqual([1, 0, 2]);
    nextColour(seats, 2);
    expect(seats.map(({ colour }) => colour)).toEqual([1, 2, 0]);
  });
});
