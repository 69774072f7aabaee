import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { rules } from './rules.ts';

export default defineConfig({
  plugins: [svelte(), rules()],
  // The runes of the browser, not those of a server that renders once.
  resolve: { conditions: ['browser'] },
  // One worker loads the page's modules once for all its files, which takes two thirds of the time else.
  test: { include: ['src/**/*.test.ts'], environment: 'node', isolate: false, setupFiles: './vitest.setup.ts' },
});
