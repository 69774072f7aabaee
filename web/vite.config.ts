import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

/** The server that the development page talks to; `EKOES_SERVER=http://127.0.0.1:8801 npm run dev`. */
const server = process.env['EKOES_SERVER'] ?? 'http://127.0.0.1:8765';

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: '../src/ekoes/server/static',
    emptyOutDir: true,
    target: 'es2022',
    // Every icon stays a file of its own, so that a strict content policy can forbid data addresses.
    assetsInlineLimit: 0,
  },
  // the list of languages and the symbols of the board are the server's too
  server: {
    fs: { allow: ['.', '../src/ekoes/languages.json', '../src/ekoes/games/eko/symbols.json'] },
    proxy: { '/api': { target: server, ws: true } },
  },
});
