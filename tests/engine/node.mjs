/** `node node.mjs FOLDER`: plays the plans in a folder with the engine there, and prints the hashes as JSON. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { play } from './play.mjs';

const [, , folder] = process.argv;
const engine = await import(pathToFileURL(join(folder, 'engine.mjs')).href);
const module = (game) => new WebAssembly.Module(readFileSync(join(folder, `${game}.wasm`)));
const plans = JSON.parse(readFileSync(join(folder, 'plans.json'), 'utf8'));
console.log(JSON.stringify(await play(engine, { eko: module('eko'), ekko: module('ekko') }, plans)));
