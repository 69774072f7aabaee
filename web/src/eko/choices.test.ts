import { expect, it } from 'vitest';
import { choicesOf, members, pathsOf, withPaths } from './choices';
import type { Position, Rows } from './protocol';

const SPACES = ['0,0', '1,0', '2,0', '3,0', '4,0'];
const POSITION: Position = {
  players: 2,
  stacks: { '0,0': { owner: 0, height: 3, emperor: true }, '2,0': { owner: 0, height: 1, emperor: false } },
  buildings: {},
  reserve: [],
  removed: [],
  captives: [],
  turn: { number: 3, player: 0, phase: 'action' },
};
const choices = (rows: Rows) => choicesOf(rows, SPACES, POSITION);

it('reads a set as the bits of a number', () => {
  expect(members('3800c')).toEqual([2, 3, 15, 16, 17]);
  expect(members('')).toEqual([]);
});

it.each<[string, Rows, unknown]>([
  ['a move', { move: [[0, 'a']] }, [
    { action: { type: 'move', from: '0,0', to: '1,0' }, effect: 'move', lost: 0, height: 3 },
    { action: { type: 'move', from: '0,0', to: '3,0' }, effect: 'move', lost: 0, height: 3 },
  ]],
  ['a regroup through a tempest', { regroup: [[0, '4', [3], true]] }, [
    { action: { type: 'move', from: '0,0', to: '2,0', zones: ['3,0'], emperor_lost: true }, effect: 'regroup', lost: 1, height: 3 },
  ]],
  ['a kamikaze', { kamikaze: [[2, '10']] }, [{ action: { type: 'move', from: '2,0', to: '4,0' }, effect: 'kamikaze', lost: 0, height: 0 }]],
  ['a building', { replace: [[0, '2', 2, 3, true]] }, [
    { action: { type: 'build', from: '0,0', site: '1,0', kind: 'tower', emperor: true }, effect: 'replace', cost: 3, height: 0 },
  ]],
  ['a reinforcement', { reinforce: [['4', 2, true]] }, [
    { action: { type: 'reinforce', space: '2,0', count: 2, emperor: true }, effect: 'reinforce', height: 3 },
  ]],
  ['the temples', { moon: [['8', 2, true]], sandtemple: [['4', 2]] }, [
    { action: { type: 'moon', space: '3,0', emperor: true }, effect: 'moon', cost: 2 },
    { action: { type: 'sandtemple', space: '2,0' }, effect: 'sandtemple', cost: 2 },
  ]],
  ['the set-up', { place: [['2', true]], swap: [['4']], keep: [[]] }, [
    { action: { type: 'place', space: '1,0', emperor: true }, effect: 'place' },
    { action: { type: 'swap', space: '2,0' }, effect: 'swap' },
    { action: { type: 'swap' }, effect: 'keep' },
  ]],
  ['the rest', { march: [[3]], ransom: [['6']], end: [[]], more: '1' }, [
    { action: { type: 'march' }, effect: 'march', cost: 3 },
    { action: { type: 'ransom', captive: 1 }, effect: 'ransom' },
    { action: { type: 'ransom', captive: 2 }, effect: 'ransom' },
    { action: { type: 'end' }, effect: 'end' },
  ]],
])('reads %s', (_, rows, read) => {
  expect(choices(rows)).toEqual(read);
});

it('finds the path that meets just the zones of a move', () => {
  const paths = pathsOf([[0, -1], [1, 0], [3, 0, 3], [4, 1], [4, 2]], SPACES);
  const known = withPaths(choices({ move: [[0, '10'], [0, '10', [3]]] }), '0,0', paths);
  expect(known.map(({ path }) => path)).toEqual([['0,0', '1,0', '4,0'], ['0,0', '3,0', '4,0']]);
});
