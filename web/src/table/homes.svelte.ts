/** What the front pages say of each game. */
import type { Component } from 'svelte';
import type { NewTable } from '../net/protocol';
import type { GameInfo } from '../protocol/messages';

export interface GameHome {
  /** The picture beside the name of the game. */
  Hero: Component;
  Intro: Component;
  quickTable(about: GameInfo): NewTable;
  invitation(about: GameInfo): NewTable;
  /** What differs from the defaults, in words. */
  describeOptions(options: object): string[];
}
let homes = $state.raw<Readonly<Record<string, GameHome>>>({});

/** null: not loaded yet; a component shows it once it is. */
export function loadedHome(game: string): GameHome | null {
  return homes[game] ?? null;
}
export function noteHome(game: string, home: GameHome): void {
  homes = { ...homes, [game]: home };
}
