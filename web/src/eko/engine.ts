/** The engine of Ekö in this page, which game.ts loads with the pages that show boards. */
import { Eko, type EkoPosition, type PlayerJson, type PositionJson } from '../engine/eko/position';
import searchRules from '../engine/search.wasm?url';
import { once } from '../net/once';
import { startedBy } from '../table/rules';

export { HASH } from '../engine/records';

export const { startEngine, engine, rulesModule } = startedBy((module) => new Eko(module));

const positions = new WeakMap<PositionJson, EkoPosition>();

/** The position in the engine, which reads it once. */
export function positionOf(position: PositionJson): EkoPosition {
  const known = positions.get(position) ?? engine().position(position);
  positions.set(position, known);
  return known;
}

/** The interchange form of a position, which the engine need not read again. */
export function jsonOf(position: EkoPosition): PositionJson {
  const json = position.toJson();
  positions.set(json, position);
  return json;
}

/** What each player has. */
export function playersOf(position: PositionJson): PlayerJson[] {
  const known = positionOf(position);
  return Array.from({ length: known.players }, (_, seat) => known.toPlayer(seat));
}

/** The workers that search for this page. Fails if their modules can't be loaded; the next call tries again. */
export const searches = once(async () => {
  const [search, { default: networks }, { Analysis }] = await Promise.all([
    WebAssembly.compileStreaming(fetch(searchRules)),
    import('../../../src/ekoes/games/eko/bots/network.json'),
    import('../engine/analysis'),
  ]);
  return new Analysis(
    { rules: rulesModule(), search },
    networks,
    () => new Worker(new URL('../engine/worker.ts', import.meta.url), { type: 'module' }),
  );
});
