import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GAMES } from './protocol';

const SOURCES = join(import.meta.dirname, '..');
const IMPORT = /(?:from |import\()'(\.[^']*)'/g;

/** What the files of a folder import from elsewhere on the page, as folders: `lib`, `panels`, `eko`, … */
function imported(folder: string): Set<string> {
  const files = readdirSync(join(SOURCES, folder), { recursive: true, encoding: 'utf8' }).filter((name) => /\.(svelte|ts)$/.test(name));
  const paths = files.flatMap((name) => {
    const here = join(folder, name, '..');
    return [...readFileSync(join(SOURCES, folder, name), 'utf8').matchAll(IMPORT)].map(([, path]) => join(here, path ?? ''));
  });
  return new Set(paths.map((path) => path.split('/')[0] ?? '').filter((first) => first !== folder));
}

describe('borders', () => {
  it.each(GAMES)('%s imports nothing of another game', (game) => {
    const elsewhere = imported(game);
    expect([...elsewhere].sort()).toEqual(['lib', 'panels']);
  });
  it('shared panels know no game', () => {
    expect([...imported('panels')].sort()).toEqual(['lib']);
  });
});
