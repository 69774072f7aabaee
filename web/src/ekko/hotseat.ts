/** Several people at one device (calm mode only): who is to have it, and whose hand may be seen. Pure. */
import type { Seat, State } from './protocol';

/** `window`: everybody at the device is asked at once whether they have the mirror. */
export type Wanted = Seat | 'window' | null;

/** Whom the table waits for among the seats of this browser; null: nobody here. */
export function wanted(state: State, yours: readonly Seat[]): Wanted {
  const first = (seats: readonly Seat[]): Seat | null => yours.find((seat) => !seats.includes(seat)) ?? null;
  switch (state.stage) {
    case 'look':
      return first(state.ready);
    case 'effect':
      return mine(state.claim?.seat, yours);
    case 'window':
    case 'leaving':
      return first(state.decided) === null ? null : 'window';
    case 'race':
      return mine(state.position.turn.player, yours);
    default:
      return null;
  }
}

function mine(seat: Seat | undefined, yours: readonly Seat[]): Seat | null {
  return seat !== undefined && yours.includes(seat) ? seat : null;
}

/** Who keeps the device after the table went on: whoever has it stays unless somebody else is wanted or all are asked anew. */
export function stays(at: Seat | null, before: Wanted, now: Wanted): Seat | null {
  if (at === null || now === null) return null;
  if (now === 'window') return before === 'window' ? at : null;
  return now === at ? at : null;
}
