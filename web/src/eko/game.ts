import type English from '../i18n/eko/en.json';
import type Study from '../i18n/eko/study/en.json';
import type { GameEntry } from '../shell/games';
import Sign from './GameIcon.svelte';

declare module '../shell/i18n.svelte' {
  interface GameWords {
    eko: typeof English;
    'eko/study': typeof Study;
  }
}

export default {
  title: 'Ekö',
  Sign,
  home: () => import('./ekoHome'),
  new: () => import('./EkoNew.svelte'),
  settings: () => import('./EkoSettings.svelte'),
  table: () => import('./EkoPage.svelte'),
  analysis: () => import('./analysis/EkoAnalysisPage.svelte'),
  editor: () => import('./editor/EkoEditorPage.svelte'),
  lesson: () => import('./EkoLesson.svelte'),
} satisfies GameEntry;
