/** Ekö's notation of decisions (docs/reference): words such as `b4>d6`, `d3^e2=camp-E`, `g4+1` and `moon:c5+E`. */
import type { Action, Kind } from './action';
import type { Layout } from './layout';

const LONGEST = 1000;
const SPACE = String.raw`([+-]?\d+\s*,\s*[+-]?\d+|[a-z]{1,2}[1-9]\d{0,3})`;
const NUMBER = String.raw`(\d{1,2})(?!\d)`;
const TAKEN = String.raw`((?:\s*~\s*${SPACE.replace('(', '(?:')})*)`;
const whole = (...parts: readonly string[]): RegExp =>
  new RegExp(String.raw`^\s*${parts.join(String.raw`\s*`)}\s*$`, 'i');
const MOVE = whole(SPACE, '>', SPACE + TAKEN, String.raw`(-\s*E)?`);
const BUILD = whole(SPACE, String.raw`\^`, SPACE, '=', '(camp|tower|castle)(?![a-z])', String.raw`(-\s*E)?`);
const REINFORCE = whole(SPACE, String.raw`\+`, NUMBER, '(E)?');
const BARE = whole('(march|end|keep)');
const RANSOM = whole('ransom(?![a-z])', ':?', NUMBER);
const ON_SPACE = whole('(swap|sandtemple)(?![a-z])', ':?', SPACE);
const WITH_DISC = whole('(place|moon)(?![a-z])', ':?', SPACE, String.raw`(\+\s*E)?`);

/** Write an action as one word, the inverse of `parseAction`. */
export function formatAction(action: Action, layout: Layout): string {
  const name = (space: string): string => layout.nameOf(space);
  const emperor = (mark: string): string => ('emperor' in action && action.emperor ? mark : '');
  switch (action.type) {
    case 'move':
      return `${name(action.from)}>${name(action.to)}${(action.zones ?? []).map((zone) => `~${name(zone)}`).join('')}${action.emperor_lost ? '-E' : ''}`;
    case 'build':
      return `${name(action.from)}^${name(action.site)}=${action.kind}${emperor('-E')}`;
    case 'reinforce':
      return `${name(action.space)}+${action.count}${emperor('E')}`;
    case 'place':
    case 'moon':
    case 'sandtemple':
      return `${action.type}:${name(action.space)}${emperor('+E')}`;
    case 'swap':
      return action.space === undefined ? 'keep' : `swap:${name(action.space)}`;
    case 'ransom':
      return `ransom:${action.captive}`;
    case 'march':
    case 'end':
      return action.type;
  }
}

/** Read an action, as people write it too: with blanks, in capitals, spaces by name or by coordinates. Throws a SyntaxError. */
export function parseAction(text: string, layout: Layout): Action {
  const refused = (): SyntaxError => new SyntaxError(`not a decision of Ekö: ${text.slice(0, 40)}`);
  if (text.length > LONGEST) throw refused();
  const space = (written: string | undefined): string => {
    const read = layout.read((written ?? '').replaceAll(/\s/g, ''));
    if (read === undefined) throw refused();
    return read;
  };
  const found = (form: RegExp): readonly (string | undefined)[] | undefined => form.exec(text)?.slice(1);
  const [move, build, reinforce, bare] = [found(MOVE), found(BUILD), found(REINFORCE), found(BARE)];
  if (move) {
    const zones = (move[2] ?? '').split('~').slice(1).map(space);
    return {
      type: 'move',
      from: space(move[0]),
      to: space(move[1]),
      ...(zones.length > 0 && { zones }),
      ...(move[3] && { emperor_lost: true }),
    };
  }
  if (build)
    return {
      type: 'build',
      from: space(build[0]),
      site: space(build[1]),
      kind: build[2]!.toLowerCase() as Kind,
      ...(build[3] && { emperor: true }),
    };
  if (reinforce)
    return {
      type: 'reinforce',
      space: space(reinforce[0]),
      count: Number(reinforce[1]),
      ...(reinforce[2] && { emperor: true }),
    };
  if (bare)
    return bare[0]!.toLowerCase() === 'keep' ? { type: 'swap' } : { type: bare[0]!.toLowerCase() as 'march' | 'end' };
  const [ransom, plain, disc] = [found(RANSOM), found(ON_SPACE), found(WITH_DISC)];
  if (ransom) return { type: 'ransom', captive: Number(ransom[0]) };
  if (plain) return { type: plain[0]!.toLowerCase() as 'swap' | 'sandtemple', space: space(plain[1]) };
  if (disc)
    return {
      type: disc[0]!.toLowerCase() as 'place' | 'moon',
      space: space(disc[1]),
      ...(disc[2] && { emperor: true }),
    };
  throw refused();
}
