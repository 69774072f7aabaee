/** Texts of files, and compressed for an address. */

export async function pack(text: string): Promise<string> {
  const packed = await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'));
  const letters = btoa(String.fromCharCode(...packed));
  return letters.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Throws if it is not one that `pack` made. */
export async function unpack(text: string): Promise<string> {
  const packed = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
    letter.charCodeAt(0),
  );
  return new TextDecoder('utf-8', { fatal: true }).decode(
    await through(packed, new DecompressionStream('deflate-raw')),
  );
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  transform: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(transform)).arrayBuffer());
}

/** The text of a file in UTF-8, or by its mark in UTF-16, which PowerShell writes. */
export async function textOf(file: Blob | undefined): Promise<string | undefined> {
  const bytes = await file?.arrayBuffer();
  const mark = bytes && String(new Uint8Array(bytes.slice(0, 2)));
  return bytes && new TextDecoder({ '255,254': 'utf-16le', '254,255': 'utf-16be' }[mark!]).decode(bytes);
}
