// Test files share their workers, which spares most of the time; none sees what another has changed.
import { vi } from 'vitest';

vi.unstubAllGlobals();
vi.resetModules();
