import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { rules } from './rules.ts';

export default defineConfig({
  plugins: [svelte(), rules()],
  // The runes of the browser, not those of a server that renders once.
  resolve: { conditions: ['browser'] },
  test: {
    include: ['src/**/*.test.ts'],
    environment: 'node',
    pool: 'threads',
    isolate: false,
    setupFiles: 'src/setup.ts',
  },
});
