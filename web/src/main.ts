import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { chosenGame, loadEntrance, offered } from './shell/games';
import { speak } from './shell/i18n.svelte';
import { renewNotices } from './shell/notify';
import { route } from './shell/route.svelte';
import { learnServer } from './shell/server.svelte';
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

/** The form of the game that the home page will show. */
async function entrance(): Promise<void> {
  const game = chosenGame(route.now, offered(await learnServer()));
  if (game) await loadEntrance(game.name);
}

/** Words and the form first, then the page: nothing jumps when they arrive. */
async function start(): Promise<void> {
  document.documentElement.dataset['theme'] = preferences.theme;
  // what does not come is asked for again by the page, which then says what is wrong
  const about = (route.now.page === 'home' ? entrance() : learnServer()).catch(() => null);
  await Promise.all([speak(spoken(preferences.language, navigator.languages)), route.now.page === 'home' && about]);
  const target = document.getElementById('app');
  if (target) mount(App, { target });
  renewNotices();
}

void start();
