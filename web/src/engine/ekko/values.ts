/** The value of each decision of a position of EKKO, from rollouts of deals that its player may hold possible. */
import type { KernelArray } from '../module';
import { EKKO } from '../records';
import { type Action, decode } from './action';
import { Sight } from './bots';
import type { PositionJson } from './position';

const { CARDS, MOST_DECISIONS, MOST_PLAYERS, RANDOM_DECISIONS } = EKKO;
/** Deals of a sample. */
const DEALS = 100;
/** How many of them are played on to the end of the game. */
const GAMES = 25;
/** Deals after which more would not change the first decimal. */
export const ENOUGH = 20_000;
/** The seed; any will do, as long as equal positions get equal values. */
const WORD = 0x9e3779b97f4a7c15n;

/** `points`: how many fewer the round is expected to bring the player than the others on average; `error`: twice its standard error. */
export interface Valued {
  readonly action: Action;
  readonly points: number;
  readonly error: number;
}

export interface Values {
  readonly deals: number;
  /** The best first; none before a deal, where chance decides. */
  readonly decisions: readonly Valued[];
  /** Each player's chance to win the game after the best decision, shared on a tie. */
  readonly game: readonly number[];
  /** Each player's chance to have the fewest points of the round. */
  readonly round: readonly number[];
}

/** Values the decisions of one position after the other. */
export class Valuer {
  private readonly sight: Sight;
  private readonly codes: KernelArray;
  private readonly values: KernelArray;
  private readonly order: KernelArray;
  private readonly rounds: KernelArray;
  private readonly games: KernelArray;
  private hidden: KernelArray[] = [];
  private isDeal = false;
  private deals = 0;
  private sums: { points: number; squares: number }[] = [];
  private shares: number[][] = [[], []];

  constructor(module: WebAssembly.Module) {
    this.sight = new Sight(module);
    const { kernels } = this.sight.ekko;
    [this.codes, this.values] = [
      kernels.array('int64', MOST_DECISIONS),
      kernels.array('float64', DEALS, MOST_DECISIONS),
    ];
    this.order = kernels.array('uint8', CARDS);
    [this.rounds, this.games] = [kernels.array('float64', MOST_PLAYERS), kernels.array('float64', MOST_PLAYERS)];
  }

  /** Take a position that is not over, with its draws. `word`: a random number of 64 bits. */
  begin(value: PositionJson, word = WORD): void {
    const position = this.sight.ekko.position(value);
    const seat = position.phase === 'deal' ? undefined : position.actor;
    this.sight.begin(word);
    this.hidden =
      seat === undefined ? this.sight.lookAt(position.state) : this.sight.look(position.toSeen(seat), seat, true);
    [this.isDeal, this.deals, this.sums] = [seat === undefined, 0, []];
    this.shares = [[], []].map(() => Array.from({ length: position.players }, () => 0));
  }

  /** Add a sample to what is known. */
  sample(): Values {
    const { sight, hidden, codes } = this;
    const { root, states, stream } = sight;
    const { kernels } = sight.ekko;
    let [count, best] = [0, 0];
    if (!this.isDeal) {
      count = kernels.number('decision_values', root, states, hidden, RANDOM_DECISIONS, stream, codes, this.values);
      this.add(count);
      const points = this.sums.map((sum) => sum.points);
      best = Number(codes.items('int64')[points.indexOf(Math.max(...points))]);
    }
    this.order.bytes.set(Array.from({ length: CARDS }, (_, n) => n + 1));
    for (const array of [states, this.rounds, this.games]) array.bytes.fill(0);
    kernels.number(
      'win_shares',
      ...[root, states, hidden, best, GAMES, RANDOM_DECISIONS, this.order, stream, this.rounds, this.games],
    );
    this.deals += DEALS;
    [this.rounds, this.games].forEach((array, row) => {
      const items = array.items('float64');
      this.shares[row] = this.shares[row]!.map((share, seat) => share + items[seat]!);
    });
    return this.found(count);
  }

  private add(count: number): void {
    const values = this.values.items('float64');
    for (let n = 0; n < count; n++) {
      const sum = (this.sums[n] ??= { points: 0, squares: 0 });
      for (let deal = 0; deal < DEALS; deal++) {
        const value = values[deal * MOST_DECISIONS + n]!;
        sum.points += value;
        sum.squares += value ** 2;
      }
    }
  }

  private found(count: number): Values {
    const { deals } = this;
    const codes = Array.from(this.codes.items('int64').subarray(0, count), Number);
    const decisions = codes.map((code, n): Valued => {
      const { points, squares } = this.sums[n]!;
      const mean = points / deals;
      return {
        action: decode(code),
        points: mean,
        error: 2 * Math.sqrt(Math.max(0, squares / deals - mean ** 2) / deals),
      };
    });
    const games = (deals / DEALS) * GAMES;
    const [round, game] = this.shares.map((row) => row.map((share) => share / games));
    return { deals, decisions: decisions.sort((one, other) => other.points - one.points), game: game!, round: round! };
  }
}
