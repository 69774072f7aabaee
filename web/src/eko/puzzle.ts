/** Puzzles of Ekö, played and judged by the engine of this page. */
import { EkoPlace } from '../engine/eko/book';
import type { PositionJson } from '../engine/eko/position';
import { PuzzleJudge } from '../engine/eko/puzzles';
import type { PuzzlePlayed, SeatDecision } from '../net/protocol';
import type { PuzzleInfo } from '../protocol/messages';
import { seatsOf } from '../table/line';
import { engine, rulesModule } from './engine';
import { play, tableAfter } from './local';

let judge: PuzzleJudge | null = null;

/** Plays a puzzle by the solver's decisions, the last of which may be wrong or illegal. */
export function puzzleOf({
  id,
  theme,
  seat,
  position,
}: PuzzleInfo): (decisions: readonly SeatDecision['action'][]) => PuzzlePlayed {
  const start = EkoPlace.at(engine().position(position as unknown as PositionJson));
  const { players } = start.position;
  const about = { id, seats: seatsOf(players, [], seat), options: { players, variants: [], setup: 'standard' } };
  return (decisions) => {
    const { steps, refusal } = play(
      start,
      decisions.map((action) => ({ seat, action })),
    );
    const latest = refusal ? undefined : steps.at(-1);
    judge ??= new PuzzleJudge(rulesModule());
    const verdict = latest ? judge.judge(theme, start.position, latest.place.position) : 'open';
    const table = tableAfter({ start, steps: verdict === 'wrong' ? steps.slice(0, -1) : steps }, about);
    return { verdict, refusal, table: table as unknown as PuzzlePlayed['table'] };
  };
}
