/** The board editor: a draft of a layout and perhaps a position, its history, and what is wrong with it. */

import { type Examined, examine, PIECES } from '../../engine/eko/examine';
import type { TileSet } from '../../engine/eko/layout';
import type { Eko } from '../../engine/eko/position';
import type { BoardData } from '../protocol';
import { empty, type Handmade, handmade, positionOf } from './position';
import { type Box, boardOf, freePlace, type Placed, type Tile, TURNS, tileOf } from './tiles';

export interface Draft {
  readonly players: number;
  readonly tiles: readonly Placed[];
  /** The content of a tile file. */
  readonly tileset?: TileSet;
  readonly position?: Handmade;
}

export class Editor {
  draft = $state.raw<Draft>({ players: 2, tiles: [] });
  /** The placed tile that is chosen, by number. */
  chosen = $state<number | null>(null);
  /** The tile of the tray that is to be placed, and how it is turned. */
  held = $state.raw<{ name: string; rot: number } | null>(null);
  #past = $state.raw<readonly Draft[]>([]);
  #future = $state.raw<readonly Draft[]>([]);

  constructor(
    draft: Draft,
    private readonly rules: Eko,
  ) {
    this.draft = draft;
  }

  readonly #answer: Examined = $derived.by(() => {
    const { position, ...layout } = this.draft;
    return examine(this.rules, { ...layout, ...(position && { position: positionOf(position, PIECES) }) });
  });
  get box(): Box {
    return this.#answer.box;
  }
  get faults(): Examined['faults'] {
    return this.#answer.faults;
  }
  /** Of a position without faults. */
  get position(): Examined['position'] {
    return this.#answer.position;
  }
  /** The layout has no fault. */
  get isPlayable(): boolean {
    return this.#answer.board !== null;
  }
  /** The board of a layout without faults, else the tiles as they lie. */
  readonly board: BoardData = $derived.by(() => this.#answer.board ?? boardOf(this.box, this.draft.tiles));
  /** The position by hand; an empty one where the draft has none. */
  readonly made: Handmade = $derived(this.draft.position ?? empty(this.draft.players));
  get canUndo(): boolean {
    return this.#past.length > 0;
  }
  get canRedo(): boolean {
    return this.#future.length > 0;
  }

  /** A change that can be undone. */
  change(draft: Draft): void {
    [this.#past, this.#future] = [[...this.#past, this.draft], []];
    this.draft = draft;
  }
  undo(): void {
    const before = this.#past.at(-1);
    if (!before) return;
    [this.#past, this.#future] = [this.#past.slice(0, -1), [this.draft, ...this.#future]];
    this.#show(before);
  }
  redo(): void {
    const [after, ...others] = this.#future;
    if (!after) return;
    [this.#past, this.#future] = [[...this.#past, this.draft], others];
    this.#show(after);
  }
  #show(draft: Draft): void {
    this.draft = draft;
    if (this.chosen !== null && this.chosen >= draft.tiles.length) this.chosen = null;
  }

  // the layout

  /** Each number of players has its own tiles and pieces, so the position is dropped. */
  setPlayers(players: number): void {
    if (players !== this.draft.players) this.start(players, this.draft.tiles);
  }
  start(players: number, tiles: readonly Placed[]): void {
    const { tileset } = this.draft;
    this.open({ players, tiles, ...(tileset && { tileset }) });
  }
  open(draft: Draft): void {
    [this.chosen, this.held] = [null, null];
    this.change(draft);
  }
  /** How many copies of a tile are not on the board. */
  left({ name, copies }: Tile): number {
    return copies - this.draft.tiles.filter(([other]) => other === name).length;
  }
  /** Takes a tile of the tray, or puts it back. */
  hold(name: string): void {
    this.held = this.held?.name === name ? null : { name, rot: 0 };
    this.chosen = null;
  }
  /** Places the tile that is held, or moves the chosen one. */
  placeAt(q: number, r: number): void {
    if (this.held) this.#add([this.held.name, q, r, this.held.rot]);
    else if (this.chosen !== null) this.moveTo(this.chosen, q, r);
  }
  /** Places a tile beside the others. */
  place(name: string): void {
    const { box } = this;
    const tile = tileOf(box, name);
    if (tile) this.#add(freePlace(box, this.draft.tiles, tile));
  }
  #add(placed: Placed): void {
    const { draft } = this;
    this.#tiles([...draft.tiles, placed]);
    [this.held, this.chosen] = [null, draft.tiles.length];
  }
  moveTo(number: number, q: number, r: number): void {
    this.#replace(number, ([name, , , rot]) => [name, q, r, rot]);
  }
  moveBy(number: number, dq: number, dr: number): void {
    this.#replace(number, ([name, q, r, rot]) => [name, q + dq, r + dr, rot]);
  }
  /** Turns the tile that is held, else the chosen one. */
  turn(by: 1 | -1 = 1): void {
    const { held, chosen } = this;
    const next = (rot: number): number => (rot + by + TURNS) % TURNS;
    if (held) this.held = { ...held, rot: next(held.rot) };
    else if (chosen !== null) this.#replace(chosen, ([name, q, r, rot]) => [name, q, r, next(rot)]);
  }
  removeTile(number: number): void {
    this.#tiles(this.draft.tiles.filter((_, other) => other !== number));
    this.chosen = null;
  }
  #replace(number: number, change: (placed: Placed) => Placed): void {
    this.chosen = number;
    this.#tiles(this.draft.tiles.map((placed, other) => (other === number ? change(placed) : placed)));
  }
  #tiles(tiles: readonly Placed[]): void {
    this.change({ ...this.draft, tiles });
  }

  // the position

  /** Puts pieces on the board. */
  edit(change: (made: Handmade, box: Box) => Handmade): void {
    const { draft, box, made } = this;
    this.change({ ...draft, position: change(made, box) });
  }
  /** Pieces of a position in the interchange form. */
  setUp(position: Handmade): void {
    this.change({ ...this.draft, position: handmade(position) });
  }
  withoutPosition(): void {
    const { position: _, ...layout } = this.draft;
    this.change(layout);
  }
}
