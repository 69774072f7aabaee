import type English from '../i18n/ekko/en.json';
import type Study from '../i18n/ekko/study/en.json';
import type { GameEntry } from '../table/games';
import Sign from './GameIcon.svelte';
import { withRules } from './rules';

declare module '../ui/i18n.svelte' {
  interface GameWords {
    ekko: typeof English;
    'ekko/study': typeof Study;
  }
}

export default {
  title: 'EKKO',
  Sign,
  home: () => import('./ekkoHome'),
  new: () => import('./EkkoNew.svelte'),
  settings: () => import('./EkkoSettings.svelte'),
  device: () =>
    withRules(
      Promise.all([import('./device.svelte'), import('./EkkoDevice.svelte')]).then(([games, page]) => ({
        ...games,
        ...page,
      })),
    ),
  table: () => import('./EkkoPage.svelte'),
  analysis: () => withRules(import('./analysis/EkkoAnalysisPage.svelte')),
  train: () => import('./train/EkkoTrain.svelte'),
  coach: () => import('./EkkoCoach.svelte'),
  lesson: () => withRules(import('./EkkoLesson.svelte')),
  lessonSign: () => import('./LessonSign.svelte'),
  rulePicture: () => import('./RulePicture.svelte'),
  task: () => withRules(import('./task')),
} satisfies GameEntry;
