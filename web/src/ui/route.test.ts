import { expect, it } from 'vitest';
import { parseRoute, type Route } from './route.svelte';

const STUDY = { page: 'study', game: 'eko', id: null, chapter: null, reads: false } as const;

it.each<[string, Route]>([
  ['/t/5n9wzdv3qbya', { page: 'table', id: '5n9wzdv3qbya', as: 'table' }],
  ['/t/5n9wzdv3qbya/screen', { page: 'table', id: '5n9wzdv3qbya', as: 'screen' }],
  ['/t/5n9wzdv3qbya/hand/', { page: 'table', id: '5n9wzdv3qbya', as: 'hand' }],
  ['/t/5n9wzdv3qbya/review', { page: 'table', id: '5n9wzdv3qbya', as: 'review' }],
  ['/', { page: 'home', game: null }],
  ['/ekko', { page: 'home', game: 'ekko' }],
  ['/eko/', { page: 'home', game: 'eko' }],
  ['/eko/learn', { page: 'learn', game: 'eko', lesson: null }],
  ['/ekko/learn/last-card/', { page: 'learn', game: 'ekko', lesson: 'last-card' }],
  ['/eko/puzzles', { page: 'puzzles', game: 'eko', puzzle: null }],
  ['/eko/puzzles/00fc3aec95', { page: 'puzzles', game: 'eko', puzzle: '00fc3aec95' }],
  ['/ekko/new', { page: 'new', game: 'ekko', query: '' }],
  ['/eko/new?layout=q', { page: 'new', game: 'eko', query: 'layout=q' }],
  ['/ekko/train?exercise=cards', { page: 'train', game: 'ekko', query: 'exercise=cards' }],
  ['/eko/editor', { page: 'editor', game: 'eko', query: '' }],
  ['/eko/rules', { page: 'rules', game: 'eko' }],
  ['/eko/watch', { page: 'watch', game: 'eko', name: null }],
  ['/people/Ada%20L/watch', { page: 'watch', game: null, name: 'Ada L' }],
  ['/ekko/coach', { page: 'coach', game: 'ekko', query: '' }],
  ['/eko/analysis/', { page: 'analysis', game: 'eko', query: '' }],
  ['/eko/analysis?table=5n9w&n=3', { page: 'analysis', game: 'eko', query: 'table=5n9w&n=3' }],
  ['/eko/study', STUDY],
  ['/eko/study/5n9w', { ...STUDY, id: '5n9w' }],
  ['/eko/study/5n9w/c4/', { ...STUDY, id: '5n9w', chapter: 'c4' }],
  ['/eko/study/5n9w/c4/read', { ...STUDY, id: '5n9w', chapter: 'c4', reads: true }],
  ['/games/5n9wzdv3qbya', { page: 'game', id: '5n9wzdv3qbya' }],
  ['/archive', { page: 'archive', query: '' }],
  ['/archive?player=Ada&game=eko', { page: 'archive', query: 'player=Ada&game=eko' }],
  ...['/t/', '/t/5n9wzdv3qbya/other', '/e/k', '/eko/learn/Move', '/nothing.html'].map((path): [string, Route] => [
    path,
    { page: 'nothing' },
  ]),
])('%s', (path, route) => {
  expect(parseRoute(path)).toEqual(route);
});
