import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { chosenGame, loadEntrance } from './shell/games';
import { speak } from './shell/i18n.svelte';
import { route } from './shell/route.svelte';
import { preferences, spoken } from './shell/settings.svelte';

const RELOADED = 'ekoes.reloaded';
/** Milliseconds in which the page is loaded anew once only: what is missing then stays missing. */
const ONCE_IN = 10_000;

/** A server that was brought up to date no longer has the parts that an open page still asks for: then the page is loaded anew. */
addEventListener('vite:preloadError', () => {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED) ?? 0) < ONCE_IN) return;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  location.reload();
});

/** Words and the form first, then the page: nothing jumps when they arrive. */
async function start(): Promise<void> {
  document.documentElement.dataset['theme'] = preferences.theme;
  await Promise.all([
    speak(spoken(preferences.language, navigator.languages)),
    // a form that does not come is asked for again by the page, which then says what is wrong
    route.now.page === 'home' && loadEntrance(chosenGame(route.now)).catch(() => null),
  ]);
  const target = document.getElementById('app');
  if (target) mount(App, { target });
}

void start();
