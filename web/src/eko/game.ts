/** Ekö's entry in the page. */
import type { GameEntry } from '../shell/games';
import Sign from './Sign.svelte';

export default {
  title: 'Ekö',
  Sign,
  home: () => import('./eko'),
  table: () => import('./EkoPage.svelte'),
} satisfies GameEntry;
