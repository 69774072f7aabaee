import { readFileSync } from 'node:fs';
import { Eko, formatAction, type PositionJson } from '../../web/src/engine';

const root = new URL('../../', import.meta.url);
const eko = new Eko(new WebAssembly.Module(readFileSync(new URL('web/src/engine/eko.wasm', root))));
let position = eko.position(JSON.parse(readFileSync(new URL('tests/golden/perft/opening-2.perft', root), 'utf8').split('\n')[1]!) as PositionJson);
while (!position.outcome() && position.turnNumber < 5) {
  const [action] = position.legal();
  console.log(position.actors(), formatAction(action!, position.layout), position.effect(action!));
  position = position.play(action!);
}
console.log(position.points(0).total, position.whyNot(1, { type: 'end' }));
