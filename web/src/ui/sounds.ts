/** Synthesised sounds, and vibration. */
import { preferences } from './settings.svelte';

/** `[hertz, start, length, volume]`, times in seconds. */
export type Tone = readonly [number, number, number, number];

let context: AudioContext | null = null;
/** Browsers forbid sound before the first interaction. */
let touched = false;

function touch(): void {
  touched = true;
  for (const kind of ['pointerdown', 'keydown']) removeEventListener(kind, touch, true);
}
if (typeof addEventListener === 'function')
  for (const kind of ['pointerdown', 'keydown']) addEventListener(kind, touch, true);

export function sound(tones: readonly Tone[]): void {
  if (!preferences.sounds || !touched || typeof AudioContext !== 'function') return;
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume();
  const { currentTime, destination } = context;
  for (const [hertz, from, length, loudness] of tones) {
    const [tone, volume] = [context.createOscillator(), context.createGain()];
    tone.type = 'triangle';
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(loudness, currentTime + from);
    volume.gain.exponentialRampToValueAtTime(0.001, currentTime + from + length);
    tone.connect(volume).connect(destination);
    tone.start(currentTime + from);
    tone.stop(currentTime + from + length);
  }
}

export function vibrate(...pattern: number[]): void {
  if (preferences.shakes && touched) navigator.vibrate?.(pattern);
}
