/** Who is to sit at a table that is being set up, in every game. Pure. */
import type { NewSeat } from './protocol';

export interface SeatWish {
  /** `here`, `open` or `bot NAME`. */
  kind: string;
  name: string;
  colour: number;
}

/** One seat of the wire: `bot greedy` becomes a bot of that name; an empty name is left out. */
export function seatOf({ kind, name, colour }: SeatWish): NewSeat {
  const [type, bot] = kind.split(' ');
  const named = name.trim() ? { name: name.trim() } : {};
  if (type === 'bot' && bot) return { kind: 'bot', bot, colour, ...named };
  return { kind: type === 'open' ? 'open' : 'here', colour, ...named };
}

/** Gives a seat the next colour, changing with whoever has it: every seat keeps a colour of its own. */
export function nextColour(seats: SeatWish[], seat: number): void {
  const mine = seats[seat];
  if (!mine) return;
  const wanted = (mine.colour + 1) % seats.length;
  const other = seats.find(({ colour }) => colour === wanted);
  if (other) other.colour = mine.colour;
  mine.colour = wanted;
}
