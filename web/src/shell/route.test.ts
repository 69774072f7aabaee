import { describe, expect, it } from 'vitest';
import { parseRoute } from './route.svelte';

describe('addresses', () => {
  it('name a table or the home page', () => {
    expect(parseRoute('/t/5n9wzdv3qbya')).toEqual({ page: 'table', id: '5n9wzdv3qbya', as: 'table' });
    expect(parseRoute('/t/5n9wzdv3qbya/screen')).toEqual({ page: 'table', id: '5n9wzdv3qbya', as: 'screen' });
    expect(parseRoute('/t/5n9wzdv3qbya/hand/')).toEqual({ page: 'table', id: '5n9wzdv3qbya', as: 'hand' });
    expect(parseRoute('/t/5n9wzdv3qbya/review')).toEqual({ page: 'table', id: '5n9wzdv3qbya', as: 'review' });
    expect(parseRoute('/t/5n9wzdv3qbya/other')).toEqual({ page: 'nothing' });
    expect(parseRoute('/')).toEqual({ page: 'home', game: null });
    expect(parseRoute('/ekko')).toEqual({ page: 'home', game: 'ekko' });
    expect(parseRoute('/eko/')).toEqual({ page: 'home', game: 'eko' });
  });
  it('name lessons, rules and the form of a game', () => {
    expect(parseRoute('/eko/learn')).toEqual({ page: 'learn', game: 'eko', lesson: null });
    expect(parseRoute('/eko/puzzles')).toEqual({ page: 'puzzles', game: 'eko', puzzle: null });
    expect(parseRoute('/eko/puzzles/00fc3aec95')).toEqual({ page: 'puzzles', game: 'eko', puzzle: '00fc3aec95' });
    expect(parseRoute('/ekko/learn/last-card/')).toEqual({ page: 'learn', game: 'ekko', lesson: 'last-card' });
    expect(parseRoute('/ekko/new')).toEqual({ page: 'new', game: 'ekko', query: '' });
    expect(parseRoute('/eko/new?layout=q')).toEqual({ page: 'new', game: 'eko', query: 'layout=q' });
    expect(parseRoute('/ekko/train?exercise=cards')).toEqual({ page: 'train', game: 'ekko', query: 'exercise=cards' });
    expect(parseRoute('/eko/editor')).toEqual({ page: 'editor', game: 'eko', query: '' });
    expect(parseRoute('/eko/rules')).toEqual({ page: 'rules', game: 'eko' });
    expect(parseRoute('/eko/analysis/')).toEqual({ page: 'analysis', game: 'eko', query: '' });
    expect(parseRoute('/eko/analysis?table=5n9w&n=3')).toEqual({ page: 'analysis', game: 'eko', query: 'table=5n9w&n=3' });
  });
  it('name studies and their chapters', () => {
    const all = { page: 'study', game: 'eko', id: null, chapter: null, reads: false };
    expect(parseRoute('/eko/study')).toEqual(all);
    expect(parseRoute('/eko/study/5n9w')).toEqual({ ...all, id: '5n9w' });
    expect(parseRoute('/eko/study/5n9w/c4/')).toEqual({ ...all, id: '5n9w', chapter: 'c4' });
    expect(parseRoute('/eko/study/5n9w/c4/read')).toEqual({ ...all, id: '5n9w', chapter: 'c4', reads: true });
  });
  it('name a finished game and a search of the archive', () => {
    expect(parseRoute('/games/5n9wzdv3qbya')).toEqual({ page: 'game', id: '5n9wzdv3qbya' });
    expect(parseRoute('/archive')).toEqual({ page: 'archive', query: '' });
    expect(parseRoute('/archive?player=Ada&game=eko')).toEqual({ page: 'archive', query: 'player=Ada&game=eko' });
  });
  it('that name nothing are recognised', () => {
    for (const path of ['/t/', '/e/k', '/eko/learn/Move', '/nothing.html']) expect(parseRoute(path)).toEqual({ page: 'nothing' });
  });
});
