import type { Snippet } from 'svelte';
import type { SeatInfo } from '../../net/protocol';
import type { AnalysisBoard } from './board.svelte';
import type { Saved } from './saved.svelte';

/** The chapter of a study that is on a board. */
export interface ChapterOpened {
  /** Of the study. */
  title: string;
  /** Whether the reader may change it. */
  isOwn: boolean;
  /** What stands in place of the page's header. */
  head: Snippet<[seats: readonly SeatInfo[]]>;
  /** In place of an address that follows. */
  savedBy: (board: AnalysisBoard) => Saved;
}

/** Where a board starts. */
export interface Opened {
  /** Of the table whose game it is. */
  id: string | null;
  /** How many decisions are shown at first; null: all. */
  n: number | null;
  /** The number of the node shown at first. */
  at: number | null;
  record: string;
  /** Whether the record was made from the table's, so that the address of the table does not lead here. */
  isConverted: boolean;
  chapter?: ChapterOpened;
}
