import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GAMES } from './table/games';

const SOURCES = import.meta.dirname;
const IMPORT = /(?:from |import\(|import )'(\.[^']*)'/g;

const files = (folder: string): string[] =>
  readdirSync(join(SOURCES, folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(svelte|ts|css)$/.test(name),
  );
const read = (...path: string[]): string => readFileSync(join(SOURCES, ...path), 'utf8');

const isTest = (name: string): boolean => name.endsWith('.test.ts');

/** What the files of a folder, tests aside, import from elsewhere on the page, as folders: `ui`, a game, … */
function imported(folder: string): Set<string> {
  const paths = files(folder)
    .filter((name) => !isTest(name))
    .flatMap((name) => {
      const here = join(folder, name, '..');
      return [...read(folder, name).matchAll(IMPORT)].map(([, path]) => join(here, path ?? ''));
    });
  return new Set(paths.map((path) => path.split('/')[0] ?? '').filter((first) => first !== folder));
}

/** From left to right: a folder imports from those on its left. */
const FOLDERS = ['protocol', 'i18n', 'engine', 'board', 'ui', 'net', 'table', 'pages'];
/** Those that name no game. */
const SHARED = ['ui', 'net', 'table', 'pages'];

describe('borders', () => {
  it('lie between the existing folders', () => {
    const folders = readdirSync(SOURCES, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect(folders.filter((name) => readdirSync(join(SOURCES, name)).length > 0).sort()).toEqual(
      [...GAMES, ...FOLDERS].sort(),
    );
  });
  it.each(FOLDERS)('%s imports from the left alone', (folder) => {
    const left = [...FOLDERS.slice(0, FOLDERS.indexOf(folder)), '..'];
    expect([...imported(folder)].filter((other) => !left.includes(other))).toEqual([]);
  });
  it.each(GAMES)('%s imports nothing of another game', (game) => {
    expect([...imported(game)].filter((folder) => ![...FOLDERS, '..'].includes(folder))).toEqual([]);
  });
  it('of the server, games take data alone', () => {
    const outside = GAMES.flatMap((game) =>
      files(game)
        .filter((name) => !isTest(name))
        .flatMap((name) => read(game, name).match(/(?<=')[./]*\/src\/ekoes\/[^']*/g) ?? []),
    );
    expect(outside).toEqual(['../../../src/ekoes/games/eko/bots/network.json']);
  });
  it('the board can be used alone: it takes plain data, and of the server its shapes', () => {
    const outside = files('board').flatMap((name) => read('board', name).match(/(?<=')(?:\.\.\/){3}[^']*/g) ?? []);
    expect(outside).toEqual(['../../../src/ekoes/games/eko/symbols.json']);
    expect([...imported('board')].sort()).toEqual(['..', 'engine']);
  });
  it('what games share takes of the engine its records and random numbers alone', () => {
    const ofEngine = SHARED.flatMap((folder) =>
      files(folder)
        .filter((name) => !isTest(name))
        .flatMap((name) => read(folder, name).match(/(?<=')[./]*\/engine\/[^']*/g) ?? []),
    );
    expect(new Set(ofEngine.map((path) => path.split('/').at(-1)))).toEqual(new Set(['chance', 'record']));
  });

  it('a part that is loaded when it is wanted is shown by Lazy, or the page goes on without it', () => {
    const shown = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.svelte') && /#await[^}]*import\(/.test(read(name)),
    );
    expect(shown.sort()).toEqual(['App.svelte', 'board/Board.svelte', 'pages/home/Home.svelte']);
    for (const name of shown)
      expect(
        read(name)
          .match(/#await[^}]*import\([\s\S]*?\{\/await/g)
          ?.filter((block) => !block.includes('{:catch')),
      ).toEqual([]);
  });

  const shared = [
    ...SHARED.flatMap((folder) => files(folder).map((name) => join(folder, name))).filter((name) => !isTest(name)),
    'App.svelte',
    'main.ts',
    'app.css',
  ];
  it.each(shared)('%s names no game', (name) => {
    const words = read(name).match(/[\p{L}]+/gu) ?? [];
    const names = [...GAMES, 'Ekö', 'EKKO'].map((game) => game.toLowerCase());
    expect(
      words.filter(
        (word) => names.includes(word.toLowerCase()) || (/^(?:ekk?o)[A-Z]/i.test(word) && !/^ekoes/i.test(word)),
      ),
    ).toEqual([]);
  });
});
