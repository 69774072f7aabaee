import { sound, type Tone, vibrate } from '../ui/sounds';
import type { Entry, Seat } from './protocol';

export type Sound = 'step' | 'attack' | 'emperor' | 'build' | 'back' | 'turn' | 'won' | 'over';

const TONES: Readonly<Record<Sound, readonly Tone[]>> = {
  step: [
    [240, 0, 0.05, 0.16],
    [180, 0.05, 0.06, 0.12],
  ],
  attack: [
    [150, 0, 0.1, 0.3],
    [95, 0.06, 0.16, 0.26],
  ],
  emperor: [
    [150, 0, 0.1, 0.3],
    [440, 0.1, 0.14, 0.22],
    [330, 0.22, 0.24, 0.22],
  ],
  build: [
    [330, 0, 0.06, 0.2],
    [330, 0.09, 0.06, 0.18],
    [495, 0.18, 0.12, 0.18],
  ],
  back: [
    [260, 0, 0.05, 0.14],
    [320, 0.06, 0.07, 0.14],
  ],
  turn: [
    [587, 0, 0.09, 0.18],
    [784, 0.1, 0.14, 0.18],
  ],
  won: [
    [523, 0, 0.14, 0.22],
    [659, 0.13, 0.14, 0.22],
    [784, 0.26, 0.14, 0.22],
    [1047, 0.39, 0.4, 0.22],
  ],
  over: [
    [392, 0, 0.2, 0.18],
    [330, 0.18, 0.34, 0.18],
  ],
};

export function play(kind: Sound): void {
  sound(TONES[kind]);
  if (kind === 'turn') vibrate(40);
  else if (kind === 'emperor') vibrate(30, 40, 80);
  else if (kind === 'attack') vibrate(25);
}

/** The most important of several sounds. `called`: a decision of this player is due since. */
export function soundOf(
  news: readonly Entry[],
  ended: 'won' | 'over' | null,
  called: boolean,
  mine: readonly Seat[],
): Sound | null {
  if (ended) return ended;
  const has = (...effects: string[]): boolean => news.some(({ effect }) => effects.includes(effect));
  if (news.some(({ met, freed }) => met?.emperor || freed)) return 'emperor';
  if (has('attack', 'kamikaze', 'perish')) return 'attack';
  if (called && !news.some(({ seat }) => mine.includes(seat))) return 'turn';
  if (has('build', 'upgrade', 'replace')) return 'build';
  if (has('reinforce', 'moon', 'place')) return 'back';
  return has('move', 'regroup', 'swap', 'sandtemple') ? 'step' : null;
}
