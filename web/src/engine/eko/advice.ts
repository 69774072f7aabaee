/** Hints for beginners: what threatens, and what speaks for a decision. */
import type { Action, Space } from './action';
import type { Effect, EkoPosition, Prospects, Stack } from './position';

/** A reason for a decision, as a word that a page knows. `n`: how much of it. */
export interface Reason {
  readonly reason:
    | Effect
    | 'wins'
    | 'emperor-back'
    | 'captures'
    | 'emperor-safe'
    | 'capital'
    | 'points'
    | 'safer'
    | 'threatens-emperor'
    | 'sites'
    | 'threatens'
    | 'position';
  readonly n?: number;
}

/** Effects on an enemy, and on own discs, that are reasons by themselves. */
const TAKES: readonly Effect[] = ['attack', 'kamikaze', 'replace', 'sandtemple'];
const OWN: readonly Effect[] = ['regroup', 'reinforce', 'moon', 'march', 'keep'];
/** Phases in which an attack by another player cannot follow. */
const QUIET: readonly string[] = ['swap', 'place', 'over'];
const NOTHING: Prospects = { moves: [], takes: [], sites: [] };

/** What a stack could do if its player's turn began now; undefined: none stands there. */
export function threatsOf(position: EkoPosition, place: Space): (Prospects & { readonly seat: number }) | undefined {
  const stack = position.stack(place);
  return (
    stack && {
      seat: stack.owner,
      ...(QUIET.includes(position.phase) ? NOTHING : position.prospects(stack.owner, place)),
    }
  );
}

/** Where the stacks stand that could capture a player's Emperor if their players' turns began now, also in the set-up. */
export function captorsOf(position: EkoPosition, seat: number): Space[] {
  const { space } = position.toPlayer(seat).emperor;
  if (space === undefined) return [];
  const takes = (other: number, from?: Space): boolean => position.prospects(other, from).takes.includes(space);
  const { stacks } = position.toJson();
  return Object.entries(stacks).flatMap(([from, { owner }]) => (owner !== seat && takes(owner, from) ? [from] : []));
}

/** The reasons for a legal decision, the most important first; at least one. */
export function reasonsFor(before: EkoPosition, action: Action): Reason[] {
  const [seat, after] = [before.actors()[0]!, before.play(action)];
  if (after.outcome()?.winners.includes(seat)) return [{ reason: 'wins' }];
  const effect = before.effect(action);
  const [own, owned] = [before.toPlayer(seat), after.toPlayer(seat)];
  const [was, now] = [exposed(before, seat), exposed(after, seat)];
  const isSaved = owned.emperor.where === 'board' && was.some(hasEmperor) && !now.some(hasEmperor);
  const gained = owned.points.total - own.points.total;
  const reasons: (Reason | false)[] = [
    own.emperor.where === 'captive' && owned.emperor.where !== 'captive' && { reason: 'emperor-back' },
    owned.points.captives > own.points.captives && { reason: 'captures' },
    isSaved && { reason: 'emperor-safe' },
    !own.capital && owned.capital && { reason: 'capital' },
    gained > 0 && { reason: 'points', n: gained },
    TAKES.includes(effect) && { reason: effect },
    !isSaved && now.length < was.length && { reason: 'safer', n: was.length - now.length },
    ...prospectsOf(before, after, seat),
    OWN.includes(effect) && { reason: effect },
  ];
  const known = reasons.filter((one) => one !== false);
  return known.length > 0 ? known : [{ reason: 'position' }];
}

/** What the player can do after a decision, on the next turn, and could not do before. */
function prospectsOf(before: EkoPosition, after: EkoPosition, seat: number): (Reason | false)[] {
  const [could, can] = [before.prospects(seat), after.prospects(seat)];
  const isThreat = (position: EkoPosition, { takes }: Prospects): boolean =>
    takes.some((space) => position.stack(space)!.emperor);
  const more = can.takes.length - could.takes.length;
  return [
    isThreat(after, can) && !isThreat(before, could) && { reason: 'threatens-emperor' },
    can.sites.length > could.sites.length && { reason: 'sites' },
    more > 0 && { reason: 'threatens', n: more },
  ];
}

/** The player's stacks that another player could attack next. */
function exposed(position: EkoPosition, seat: number): Stack[] {
  const others = Array.from({ length: position.players }, (_, other) => other).filter((other) => other !== seat);
  const taken = new Set(others.flatMap((other) => position.prospects(other).takes));
  return [...taken].map((space) => position.stack(space)!).filter(({ owner }) => owner === seat);
}

function hasEmperor({ emperor }: Stack): boolean {
  return emperor;
}
