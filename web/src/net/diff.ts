/** Changes of a state as the server sends them (docs/reference/protocol.md, "Changes"). Pure functions. */

/** `[value]`: replaced; `null`: removed; an object: changes by key. */
export type Change = [unknown] | null | { [key: string]: Change };

/** Returns a new value; unchanged parts are the same objects. */
export function patched(value: unknown, change: Change): unknown {
  if (Array.isArray(change)) return change[0];
  const fresh = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<
    string,
    unknown
  >;
  for (const [key, inner] of Object.entries(change ?? {})) {
    if (inner === null) delete fresh[key];
    else fresh[key] = patched(fresh[key], inner);
  }
  return fresh;
}

/** Equal values give equal text. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, content]) => `${JSON.stringify(key)}:${canonical(content)}`).join(',')}}`;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

/** CRC-32 of the canonical JSON, as eight hexadecimal digits: whether page and server agree. */
export function checksum(value: unknown): string {
  let rest = 0xffffffff;
  for (const byte of new TextEncoder().encode(canonical(value)))
    rest = (rest >>> 8) ^ (TABLE[(rest ^ byte) & 255] ?? 0);
  return ((rest ^ 0xffffffff) >>> 0).toString(16).padStart(8, '0');
}
