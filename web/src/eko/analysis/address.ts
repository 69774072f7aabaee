/** The address of an analysis board: a table with the number of decisions, or a compressed record. */
const PAGE = '/eko/analysis';

export const ofTable = (id: string, n: number): string => `${PAGE}?table=${id}&n=${n}`;

export async function ofRecord(record: string): Promise<string> {
  const packed = await through(new TextEncoder().encode(record), new CompressionStream('deflate-raw'));
  const letters = btoa(String.fromCharCode(...packed));
  return `${PAGE}?record=${letters.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
}

/** Throws if it is not one that `ofRecord` made. */
export async function recordIn(text: string): Promise<string> {
  const packed = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
  return new TextDecoder('utf-8', { fatal: true }).decode(await through(packed, new DecompressionStream('deflate-raw')));
}

async function through(bytes: Uint8Array<ArrayBuffer>, transform: CompressionStream | DecompressionStream): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(transform)).arrayBuffer());
}
