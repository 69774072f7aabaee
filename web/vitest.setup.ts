import { afterAll, vi } from 'vitest';

// The files of one worker share modules and globals: what a file has replaced is there again for the next one.
afterAll(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
