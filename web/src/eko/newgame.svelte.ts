import type { NewTable } from '../net/protocol';
import { NewGame } from '../pages/home/newgame.svelte';
import type { ClockPlan, GameInfo, SeatPlan } from '../protocol/messages';
import { levelFor } from '../table/levels';
import { planOf } from '../ui/clock';
import { maybe } from '../ui/i18n.svelte';
import type { Options, OwnLayout } from './protocol';

/** A random seed of 31 bits. Not by net/chance.ts: the bundler puts that with much that the front page does not need. */
const randomSeed = (): number => crypto.getRandomValues(new Uint32Array(1))[0]! >>> 1;

type Chosen = Pick<Options, 'variants' | 'setup' | 'clock'>;

export function quickTable(about: GameInfo): NewTable<Options> {
  return tableFor(about, { kind: 'bot', bot: levelFor(about) });
}
export function invitation(about: GameInfo): NewTable<Options> {
  return tableFor(about, { kind: 'open' });
}

export function describeOptions({ variants = [], setup }: Partial<Options>): string[] {
  return [
    ...variants.map((variant) => maybe(`variant.${variant}`) ?? variant),
    ...(setup ? [maybe(`setup.${setup}`) ?? setup] : []),
  ];
}

function tableFor({ name }: GameInfo, other: SeatPlan): NewTable<Options> {
  return { game: name, options: { players: 2, variants: [], setup: 'standard' }, seats: [{ kind: 'here' }, other] };
}

export class EkoNewGame extends NewGame<Chosen> {
  seed = $state<number | null>(null);
  /** A board by hand, which is played while the number of players is the one it was made for. */
  #own = $state.raw<OwnLayout | null>(null);
  /** The named layout that was chosen last; `called`: in the reader's language. */
  named = $state.raw<{ tiles: OwnLayout['tiles']; called: string } | null>(null);
  /** The seed of a random board that is shown, so that exactly this one is played. */
  #dealt = $state<number | null>(null);

  constructor(about: GameInfo) {
    super(about, { players: 2, offers: ['variants', 'setup', 'clock'] });
    this.clock = planOf(this.options.clock);
  }

  /** The board of a rated game can't be chosen. */
  get own(): OwnLayout | null {
    return !this.isRated && this.#own?.players === this.players ? this.#own : null;
  }
  set own(layout: OwnLayout | null) {
    this.#own = layout;
    if (layout) this.players = layout.players;
  }

  /** What the chosen board is called; null: it has no name. */
  get called(): string | null {
    return this.named !== null && this.own?.tiles === this.named.tiles ? this.named.called : null;
  }

  get clock(): ClockPlan | null {
    return this.options.clock ?? null;
  }
  set clock(clock: ClockPlan | null) {
    if (clock === null) delete this.options.clock;
    else this.options.clock = clock;
  }

  /** What draws the board that is shown. */
  readonly previewed: Options = $derived.by(() => {
    const { variants, setup } = this.options;
    return { players: this.players, variants: [...variants], setup, ...this.#board };
  });

  override get table(): NewTable<Options> {
    const table = super.table;
    return { ...table, options: { ...table.options, ...this.#board } };
  }

  get #board(): Partial<Options> {
    const { own } = this;
    const seed = this.isRated ? null : (this.seed ?? this.#dealt);
    const layout = own && { variants: [], layout: own.tiles, ...(own.tileset && { tileset: own.tileset }) };
    return { ...(seed !== null && { seed }), ...layout };
  }

  /** A board that is not shown gets its seed from all players as the game begins. */
  show(): void {
    this.#dealt ??= randomSeed();
  }
  deal(): void {
    this.seed = null;
    this.#dealt = randomSeed();
  }
  /** Takes a whole number, or nothing for a new board. Returns whether the text was valid. */
  setSeed(text: string): boolean {
    const seed = /^\s*\d+\s*$/.test(text) ? Number(text) : NaN;
    const isSeed = Number.isSafeInteger(seed);
    if (isSeed) this.seed = seed;
    else if (text.trim() === '') this.deal();
    else return false;
    return true;
  }

  get variants(): readonly string[] {
    return this.about.options['variants']?.values ?? [];
  }
  get setups(): readonly string[] {
    return this.about.options['setup']?.values ?? [];
  }
  toggle(variant: string): void {
    const { variants } = this.options;
    const on = !variants.includes(variant);
    this.options.variants = this.variants.filter((other) => (other === variant ? on : variants.includes(other)));
  }
}
