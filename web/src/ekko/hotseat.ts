/** Several people at one device (calm mode only): which seat should have it, and whose hand may be shown. Pure. */
import type { Seat, State } from './protocol';

/** `window`: all players at the device look for a mirror at the same time. */
export type Wanted = Seat | 'window' | null;

/** The seat of this browser that the table waits for. `goesRound`: each is asked for a mirror in turn. */
export function wanted(state: State, yours: readonly Seat[], goesRound: boolean): Wanted {
  switch (state.stage) {
    case 'look':
      return yours.find((seat) => !state.ready.includes(seat)) ?? null;
    case 'effect':
      return mine(state.claim?.seat, yours);
    case 'window':
    case 'leaving': {
      const [next = null] = undecided(state, yours);
      return next === null || goesRound ? next : 'window';
    }
    case 'race':
      return mine(state.position.turn.player, yours);
    default:
      return null;
  }
}

export function undecided({ decided, position }: State, yours: readonly Seat[]): Seat[] {
  return yours.filter((seat) => !decided.includes(seat) && position.turn.leaving !== seat);
}

function mine(seat: Seat | undefined, yours: readonly Seat[]): Seat | null {
  return seat !== undefined && yours.includes(seat) ? seat : null;
}

/** The seat that has the device after the table has changed. */
export function stays(at: Seat | null, before: Wanted, now: Wanted): Seat | null {
  return now === at || (now === 'window' && before === 'window') ? at : null;
}
