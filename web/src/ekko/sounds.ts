import { sound, type Tone, vibrate } from '../ui/sounds';
import { settles } from './log';
import type { Entry, Seat, Verdict } from './protocol';

export type Sound = 'card' | 'mirror' | 'misplay' | 'late' | 'draw' | 'turn' | 'end';

const TONES: Readonly<Record<Sound, readonly Tone[]>> = {
  card: [[520, 0, 0.05, 0.18]],
  mirror: [
    [660, 0, 0.09, 0.3],
    [990, 0.07, 0.16, 0.26],
    [660, 0.19, 0.12, 0.1],
    [990, 0.26, 0.18, 0.08],
  ],
  misplay: [
    [196, 0, 0.12, 0.28],
    [147, 0.1, 0.18, 0.28],
  ],
  late: [[294, 0, 0.14, 0.16]],
  draw: [[360, 0, 0.04, 0.1]],
  turn: [
    [660, 0, 0.07, 0.2],
    [880, 0.08, 0.1, 0.2],
  ],
  end: [
    [523, 0, 0.12, 0.2],
    [659, 0.11, 0.12, 0.2],
    [784, 0.22, 0.25, 0.2],
  ],
};

export function play(kind: Sound): void {
  sound(TONES[kind]);
  if (kind === 'turn') vibrate(40);
  else if (kind === 'mirror' || kind === 'misplay') vibrate(30, 40, 60);
}

/** The sound of what has just been added to a log. turn: whose turn it is in a race. */
export function soundOf(
  added: readonly Entry[],
  log: readonly Entry[],
  turn: Seat | null = null,
  yours: readonly Seat[] = [],
): Sound | null {
  const news = added.filter((entry) => !settles(entry, log));
  const has = (verdict: Verdict): boolean => news.some((entry) => entry.verdict === verdict);
  if (has('claim') || has('mirror')) return 'mirror';
  if (has('misplay')) return 'misplay';
  if (has('close')) return 'end';
  if (has('late')) return 'late';
  if (news.length === 0) return null;
  if (turn !== null && yours.includes(turn)) return 'turn';
  if (has('play')) return 'card';
  return has('draw') ? 'draw' : null;
}
