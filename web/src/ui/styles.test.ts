import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const SOURCES = join(import.meta.dirname, '..');
/** Pictures that are the same in both text directions. */
const PICTURES = /^(?:board\/|eko\/Palette\.svelte|ekko\/(?:Felt|Hero|PlayZone|Ring|SeatBadge|Hand)\.svelte$)/;
/** The overlap of cards, and centring. */
const SAME = /^(?:margin-left: -\d+px|left: 50%)$/;
const SIDES =
  /(?:margin|padding|border)-(?:left|right)\b[^;]*|text-align: (?:left|right)|(?<![-\w])(?:left|right): [^;]+/g;

it('styles say start and end, for both text directions', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.(svelte|css)$/.test(name) && !PICTURES.test(name),
  );
  const styles = files.map((name) => ({
    name,
    style: readFileSync(join(SOURCES, name), 'utf8').replace(/^[\s\S]*<style>/, ''),
  }));
  const sided = styles.flatMap(({ name, style }) =>
    [...style.matchAll(SIDES)].filter(([rule]) => !SAME.test(rule)).map(([rule]) => `${name}: ${rule}`),
  );
  expect(styles.length).toBeGreaterThan(40);
  expect(sided).toEqual([]);
});
