import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GAMES } from './games';

const SOURCES = join(import.meta.dirname, '..');
const IMPORT = /(?:from |import\(|import )'(\.[^']*)'/g;

const files = (folder: string): string[] =>
  readdirSync(join(SOURCES, folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(svelte|ts|css)$/.test(name),
  );
const read = (...path: string[]): string => readFileSync(join(SOURCES, ...path), 'utf8');

const isTest = (name: string): boolean => name.endsWith('.test.ts');

/** What the files of a folder, tests aside, import from elsewhere on the page, as folders: `shell`, a game, … */
function imported(folder: string): Set<string> {
  const paths = files(folder)
    .filter((name) => !isTest(name))
    .flatMap((name) => {
      const here = join(folder, name, '..');
      return [...read(folder, name).matchAll(IMPORT)].map(([, path]) => join(here, path ?? ''));
    });
  return new Set(paths.map((path) => path.split('/')[0] ?? '').filter((first) => first !== folder));
}

describe('borders', () => {
  it('lie between the existing folders', () => {
    const folders = readdirSync(SOURCES, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect(folders.filter((name) => readdirSync(join(SOURCES, name)).length > 0).sort()).toEqual(
      [...GAMES, 'board', 'engine', 'i18n', 'protocol', 'shell'].sort(),
    );
  });
  it.each(GAMES)('%s imports nothing of another game', (game) => {
    const elsewhere = imported(game);
    for (const shared of ['i18n', 'board', 'engine', 'protocol']) elsewhere.delete(shared);
    expect([...elsewhere].filter((folder) => folder !== '..')).toEqual(['shell']);
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
    expect([...imported('board')].sort()).toEqual(['..', 'engine', 'shell']);
  });
  it('the engine can be used alone: it imports nothing of the page', () => {
    expect([...imported('engine')]).toEqual([]);
  });
  it('the shell imports nothing of a game, and of the engine its records alone', () => {
    const elsewhere = imported('shell');
    expect([...elsewhere].filter((folder) => !['..', 'i18n', 'protocol', 'engine'].includes(folder))).toEqual([]);
    const ofEngine = files('shell')
      .filter((name) => !isTest(name))
      .flatMap((name) => read('shell', name).match(/(?<=')[./]*\/engine\/[^']*/g) ?? []);
    expect(new Set(ofEngine.map((path) => path.split('/').at(-1)))).toEqual(new Set(['record']));
  });

  it('a part that is loaded when it is wanted is shown by Lazy, or the page goes on without it', () => {
    const shown = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.svelte') && /#await[^}]*import\(/.test(read(name)),
    );
    expect(shown.sort()).toEqual(['App.svelte', 'shell/home/Home.svelte']);
    for (const name of shown)
      expect(
        read(name)
          .match(/#await[^}]*import\([\s\S]*?\{\/await/g)
          ?.filter((block) => !block.includes('{:catch')),
      ).toEqual([]);
  });

  const shared = [
    ...files('shell')
      .filter((name) => !isTest(name))
      .map((name) => join('shell', name)),
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
