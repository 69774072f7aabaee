/** What a server would say to the page on a host that has none. */
import type { PuzzleAnswered, PuzzleInfo, RushInfo } from '../protocol/messages';
import { below } from './chance';
import { Refused } from './refused';

type SitePuzzle = PuzzleInfo & Pick<PuzzleAnswered, 'solution'>;
interface Body {
  after?: string;
  theme?: string | null;
  solved?: readonly string[];
  gives_up?: boolean;
}

const DAY = 86_400_000;
/** Puzzles of a rush. */
const RUSH = 36;
const PUZZLE = /^\/api\/([a-z]+)\/puzzles\/([0-9a-z]+)(?:\?|$)/;

/** Answers a request as the server would. Throws `Refused` where that needs one. */
export async function answerOnSite(path: string, body: Body | undefined): Promise<unknown> {
  const [, game, puzzle] = PUZZLE.exec(path) ?? [];
  if (game && puzzle) return puzzleOf(await puzzlesOf(game), puzzle, body);
  if (body !== undefined) throw new Refused('connection/lost', '');
  return read(path);
}

async function read<T>(path: string): Promise<T> {
  const answer = await fetch(`${path}.json`).catch(() => null);
  if (!answer?.ok) throw new Refused('connection/lost', '');
  return (await answer.json()) as T;
}

const puzzles = new Map<string, Promise<SitePuzzle[]>>();

/** All puzzles of a game, which stand in one file. */
function puzzlesOf(game: string): Promise<SitePuzzle[]> {
  const found = puzzles.get(game) ?? read<SitePuzzle[]>(`/api/${game}/puzzles`);
  puzzles.set(game, found);
  found.catch(() => puzzles.delete(game));
  return found;
}

function puzzleOf(
  all: readonly SitePuzzle[],
  name: string,
  body: Body | undefined,
): PuzzleInfo | PuzzleAnswered | RushInfo {
  if (name === 'daily') return all[Math.floor(Date.now() / DAY) % all.length]!;
  if (name === 'rush') {
    const sorted = all.toSorted((one, other) => one.rating.rating - other.rating.rating);
    const begin = (n: number): number => Math.floor((n * all.length) / RUSH);
    const drawn = Array.from({ length: RUSH }, (_, n) => sorted[begin(n) + below(begin(n + 1) - begin(n))]!.id);
    return { puzzles: drawn };
  }
  if (name === 'next') {
    const { theme, solved = [], after } = body ?? {};
    const open = all.filter((one) => (theme == null || one.theme === theme) && !solved.includes(one.id));
    const others = open.length > 1 ? open.filter(({ id }) => id !== after) : open;
    if (others.length === 0) throw new Refused('puzzle/none-left', '');
    return others[below(others.length)]!;
  }
  const found = all.find(({ id }) => id === name);
  if (!found) throw new Refused('puzzle/not-found', '');
  // the page has judged the answer itself
  return body ? { verdict: 'open', solution: body.gives_up ? found.solution : null, rated: null } : found;
}
