import { isSite } from './site';

const RELOADED = 'ekoes.reloaded';
/** Milliseconds within which the page reloads only once. */
const ONCE_IN = 10_000;

/** Loads the page anew if the server answers: without it the browser would show an error in place of the page. */
export async function reload(): Promise<void> {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED) ?? 0) < ONCE_IN) return;
  const answers = await fetch(isSite ? '/api/meta.json' : '/api/meta').then(
    ({ ok }) => ok,
    () => false,
  );
  if (!answers) return;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  location.reload();
}
