import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';
import { rules } from './rules.ts';

/** The server that the development page talks to; `EKOES_SERVER=http://127.0.0.1:8801 npm run dev`. */
const server = process.env['EKOES_SERVER'] ?? 'http://127.0.0.1:8765';

/** Writes a compressed copy of every asset but the fonts, which are, for the server to send to browsers that take it. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    writeBundle({ dir = '' }) {
      const assets = join(dir, 'assets');
      for (const name of readdirSync(assets).filter((name) => !name.endsWith('.woff2')))
        writeFileSync(join(assets, `${name}.br`), brotliCompressSync(readFileSync(join(assets, name))));
    },
  };
}

/** Tells the service worker which files make up the page. */
function listed(): Plugin {
  return {
    name: 'listed',
    apply: 'build',
    writeBundle({ dir = '' }, files) {
      const worker = join(dir, 'worker.js');
      const names = Object.keys(files).filter((name) => name.startsWith('assets/'));
      const all = [...names.map((name) => `/${name}`), '/icon.svg', '/manifest.webmanifest'].sort();
      writeFileSync(worker, readFileSync(worker, 'utf8').replace('FILES = []', `FILES = ${JSON.stringify(all)}`));
    },
  };
}

export default defineConfig({
  plugins: [svelte(), rules(), compressed(), listed()],
  build: {
    outDir: '../src/ekoes/server/static',
    emptyOutDir: true,
    target: 'es2022',
    // Every icon stays a file of its own, so that a strict content policy can forbid data addresses.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // short names, as the first file that is loaded lists them all
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0] ?? name}-[hash:7].js`,
        assetFileNames: ({ names: [name = ''] }) =>
          name.includes('~') ? `assets/${name.split('~')[0]}-[hash:6][extname]` : 'assets/[name]-[hash:6][extname]',
        codeSplitting: {
          groups: [
            { name: 'core', tags: ['$initial'] },
            // few files rather than many small ones
            {
              name: 'shared',
              test: /src[\\/](?:board|ui|net|table|pages)/,
              minShareCount: 2,
              entriesAware: true,
              entriesAwareMergeThreshold: 2250,
            },
          ],
        },
      },
    },
  },
  // the list of languages, the symbols of the board and the networks are the server's too, the rules belong to the documentation
  server: {
    fs: {
      allow: [
        '.',
        '../src/ekoes/languages.json',
        '../src/ekoes/games/eko/symbols.json',
        '../src/ekoes/games/eko/bots/network.json',
        '../docs/rules',
      ],
    },
    proxy: { '/api': { target: server, ws: true } },
  },
});
