// Writes the page's types from the JSON Schema of the protocol; npm runs it before all that needs them.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from 'json-schema-to-typescript';

const folder = join(import.meta.dirname, 'src', 'protocol');
const target = join(folder, 'messages.ts');
const schema = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', 'docs', 'reference', 'protocol.schema.json'), 'utf8'),
);

/**
 * Pydantic titles each property, which would become a type of its own; an absent key is never sent as null, and a message always has
 * its type. Keys of a game's own are left to that game. The generator knows tuples by their former name.
 */
function plain(node) {
  if (node.properties?.type?.const !== undefined) node.required = [...new Set([...(node.required ?? []), 'type'])];
  if (node.properties) delete node.additionalProperties;
  if (node.prefixItems) [node.items, node.additionalItems] = [node.prefixItems, false];
  for (const [key, property] of Object.entries(node.properties ?? {})) {
    delete property.title;
    const present = property.anyOf?.filter((one) => one.type !== 'null');
    if (present && !node.required?.includes(key)) {
      const { anyOf, default: _, ...rest } = property;
      node.properties[key] = present.length === 1 ? { ...present[0], ...rest } : { ...rest, anyOf: present };
    }
  }
  for (const inner of Object.values(node)) if (inner && typeof inner === 'object') plain(inner);
}
plain(schema);

const text = await compile({ ...schema, title: 'Protocol' }, 'Protocol', {
  additionalProperties: false,
  bannerComment: '/* Made from docs/reference/protocol.schema.json by protocol.mjs. */',
  unreachableDefinitions: true,
  ignoreMinAndMaxItems: true,
  style: { singleQuote: true, printWidth: 140 },
});
// One line for a short comment, none for what the generator says of references and lengths; what a game fills in has one name; nobody
// changes the arrays of a message. Each connection of the page names the messages that it takes.
const readable = text
  .replaceAll(/\{\s+\[k: string\]: unknown;\s+\}(?=[;[ ])/g, 'Json')
  .replace(/\n *\* (?:This interface was referenced by|via the|@(?:min|max)Items)[^\n]*/g, '')
  .replace(/(?:\n *\*)+(?=\n *\*\/)/g, '')
  .replace(/ *\/\*\*\n *\*\/\n/g, '')
  .replace(/( *)\/\*\*\n *\* ([^\n]*)\n *\*\/\n/g, '$1/** $2 */\n')
  .replaceAll(/(?<=^ +\w+\??: )(?=[^;\n]*\[\])/gm, 'readonly ')
  .replaceAll(/export type (?:To|From)\w+ =[^;]*;\n/g, '')
  .replace(/\nexport interface Protocol \{\n[^}]*\}\n/, '');

const types = `${readable}\n/** An object whose keys the game defines. */\nexport type Json = Record<string, unknown>;\n/** The version of the protocol; a page of another version has to be reloaded. */\nexport const PROTOCOL = ${schema.version};\n`;
mkdirSync(folder, { recursive: true });
// a newer file would have the page built again
if (!existsSync(target) || readFileSync(target, 'utf8') !== types) writeFileSync(target, types);
