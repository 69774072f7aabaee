/** What the server tells of tournaments (docs/reference/protocol.md, "Tournaments"). Types only. */
import type { ClockPlan } from '../clock';
import type { Change } from '../diff';
import type { Failure } from '../protocol';

export const FORMS = ['robin', 'swiss', 'tables'] as const;
export type Form = (typeof FORMS)[number];

/** What a list tells of a tournament. */
export interface Listed {
  name: string;
  game: string;
  form: Form;
  /** At a table, at most. */
  players: number;
  /** Those that are not as usual. */
  options: object;
  status: 'open' | 'running' | 'over';
  /** Others may still join while it runs. */
  late: boolean;
  /** Minutes after which a game is lost for who has not come. */
  grace: number;
  rounds?: number;
  /** How many rounds there have been. */
  drawn: number;
  entrants: number;
  /** Milliseconds since 1970. */
  since: number;
  rated?: true;
  clock?: ClockPlan;
}
export interface About extends Omit<Listed, 'entrants' | 'since'> {
  rounds: number;
  host: string;
  /** What parts those with equal points, in this order. */
  breaks: string[];
}
export interface Entrant {
  name: string;
  left?: true;
}
export interface Game {
  /** Numbers of entrants, in the order of the seats; who is alone has a bye. */
  seats: number[];
  table?: string;
  /** As soon as it is over. */
  points?: number[];
  /** The seats of who did not come. */
  absent?: number[];
}
export interface Standing {
  rank: number;
  points: number;
  breaks: number[];
}
export interface Told {
  about: About;
  entrants: Record<string, Entrant>;
  rounds: Record<string, Game[]>;
  standings: Record<string, Standing>;
  own: { entrant?: number; host?: true; table?: string };
}
export type TournamentMessage = ({ type: 'tournament' } & Told) | { type: 'news'; change: Change } | Failure;

/** A tournament as its maker asks for it. */
export interface Plan {
  name: string;
  game: string;
  form: Form;
  rounds: number;
  grace: number;
  late: boolean;
  options: { players: number; clock?: ClockPlan; rated?: true };
}
