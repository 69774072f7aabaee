/** Requests to the server. A refusal is thrown as `Refused` with the server's code and message. */

export class Refused extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export async function ask<T>(path: string, body?: unknown, method = body === undefined ? 'GET' : 'POST'): Promise<T> {
  const init = body === undefined ? { method } : { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(path, init).catch(() => {
    throw new Refused('connection/lost', '');
  });
  const value: unknown = await answer.json().catch(() => ({}));
  if (!answer.ok) throw refusal(value);
  return value as T;
}

function refusal(value: unknown): Refused {
  const { code = 'unknown', message = '' } = value as { code?: string; message?: string };
  return new Refused(code, message);
}

/** The objects that the server sends line by line. */
export async function* stream<T>(path: string, body: object, signal: AbortSignal): AsyncGenerator<T> {
  const answer = await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), signal }).catch(() => {
    throw new Refused('connection/lost', '');
  });
  if (!answer.ok || !answer.body) throw refusal(await answer.json().catch(() => ({})));
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ''; ; ) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as T;
  }
}

/** The state after some decisions of a game. */
export const positionAfter = async <State>(id: string, n: number): Promise<State> => (await ask<{ state: State }>(`/api/tables/${id}/positions/${n}`)).state;
/** `n`: after so many decisions. */
export const pictureAddress = (id: string, n?: number): string => `/api/tables/${id}/picture.png${n === undefined ? '' : `?decisions=${n}`}`;
export const animationAddress = (id: string): string => `/api/tables/${id}/game.gif`;
export const recordAddress = (id: string): string => `/api/tables/${id}/record`;
export const recordOf = async (id: string): Promise<string> => (await file(recordAddress(id))).text();

/** A file; with a body it is sent as JSON. */
export async function file(path: string, body?: object): Promise<Blob> {
  const answer = await fetch(path, body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }).catch(() => {
    throw new Refused('connection/lost', '');
  });
  if (!answer.ok) throw refusal(await answer.json().catch(() => ({})));
  return answer.blob();
}
