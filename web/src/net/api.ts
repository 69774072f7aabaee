/** Requests to the server. A refusal is thrown as `Refused` with the server's code and message. */

import type { StatusInfo, TournamentName, TournamentOfTable } from '../protocol/messages';
import { isSite } from '../ui/site';
import { onceFor } from './once';
import { Refused } from './refused';

export { Refused };

/** The server's answer to a request, whose body is sent as JSON. */
async function request(
  path: string,
  body?: unknown,
  method = body === undefined ? 'GET' : 'POST',
  signal: AbortSignal | null = null,
): Promise<Response> {
  const content =
    body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(path, { method, signal, ...content }).catch(() => {
    throw new Refused('connection/lost', '');
  });
  if (answer.ok) return answer;
  const { code = 'unknown', message = '' } = (await answer.json().catch(() => ({}))) as {
    code?: string;
    message?: string;
  };
  throw new Refused(code, message);
}

export async function ask<T>(path: string, body?: unknown, method?: string): Promise<T> {
  if (isSite) return (await import('./siteAnswers')).answerOnSite(path, body as object | undefined) as Promise<T>;
  const answer = await request(path, body, method);
  return (await answer.json().catch(() => ({}))) as T;
}

/** The objects that the server sends line by line. */
export async function* stream<T>(path: string, body: object, signal: AbortSignal): AsyncGenerator<T> {
  const answer = await request(path, body, 'POST', signal);
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ''; ; ) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as T;
  }
}

/** The state after some decisions of a game. */
export const positionAfter = async <State>(id: string, n: number): Promise<State> =>
  (await ask<{ state: State }>(`/api/tables/${id}/positions/${n}`)).state;
/** `n`: after so many decisions. */
export const pictureAddress = (id: string, n?: number): string =>
  `/api/tables/${id}/picture.png${n === undefined ? '' : `?decisions=${n}`}`;
export const animationAddress = (id: string): string => `/api/tables/${id}/game.gif`;
export const recordAddress = (id: string): string => `/api/tables/${id}/record`;
export const recordOf = async (id: string): Promise<string> => (await file(recordAddress(id))).text();

export const file = async (path: string, body?: object): Promise<Blob> => (await request(path, body)).blob();

const tournaments = onceFor((table) => ask<TournamentOfTable>(`/api/tables/${table}/tournament`));

/** The tournament of a table, if it belongs to one. */
export const tournamentOf = (table: string): Promise<TournamentName | null> =>
  tournaments(table).then(
    ({ tournament }) => tournament,
    () => null,
  );

/** Whom a table waits for; kept for a second, as two lists of a page ask for it. */
export const statusOf = onceFor((table) => ask<StatusInfo>(`/api/tables/${table}/status`), 1000);
