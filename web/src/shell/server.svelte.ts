/** What the server says of itself: its games, what can be chosen in them, and its limits. Asked once. */
import { meta } from './api';
import type { Meta } from './protocol';

let about = $state.raw<Meta | null>(null);
let asking: Promise<Meta> | null = null;

/** What the server has said; null: nothing yet. */
export function server(): Meta | null {
  return about;
}

/** Asks the server, unless it has answered. Raises: `Refused` if it can't be reached; then it is asked anew the next time. */
export function learnServer(): Promise<Meta> {
  asking ??= meta().then(
    (answer) => (about = answer),
    (error: unknown) => {
      asking = null;
      throw error;
    },
  );
  return asking;
}

/** A path of this page as others can open it: of this machine's own page they are told its address in the network. */
export function address(path: string): string {
  const isOwn = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);
  return `${(isOwn && about?.address) || `${location.origin}/`}${path}`;
}

/** How many characters a name may have. */
export function longestName(): number | undefined {
  return about?.limits.name;
}

/** The pace of bots that a person has chosen, else the server's own. */
export function paceOr(chosen: number | null): number | null {
  return chosen ?? about?.limits.pace.default ?? null;
}

/** Whether the server takes a pace. */
export function takesPace(pace: number): boolean {
  const { least = 0, most = Infinity } = about?.limits.pace ?? {};
  return pace >= least && pace <= most;
}
