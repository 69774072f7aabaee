/** The decisions of EKKO (K6): their JSON, the codes of the kernels, and their notation. */
import { EKKO } from '../records';

export type Action =
  | { readonly type: 'deal'; readonly order?: readonly number[] }
  | { readonly type: 'play' | 'misplay'; readonly card: number }
  | { readonly type: 'mirror'; readonly card: number; readonly effect: 'discard'; readonly aside: number }
  | { readonly type: 'mirror'; readonly card: number; readonly effect: 'draw' }
  | { readonly type: 'pass' | 'draw' | 'close' };

const { ActionType, TYPE_MASK, CARD_SHIFT, CARD_MASK, ASIDE_SHIFT, CARDS } = EKKO;
const BARE = {
  [ActionType.DEAL]: 'deal',
  [ActionType.PASS]: 'pass',
  [ActionType.DRAW]: 'draw',
  [ActionType.CLOSE]: 'close',
} as const;

/** The action of a code. */
export function decode(code: number): Action {
  const [type, card] = [code & TYPE_MASK, (code >> CARD_SHIFT) & CARD_MASK];
  if (type === ActionType.PLAY) return { type: 'play', card };
  if (type === ActionType.MISPLAY) return { type: 'misplay', card };
  if (type === ActionType.MIRROR_DRAW) return { type: 'mirror', card, effect: 'draw' };
  if (type === ActionType.MIRROR_DISCARD)
    return { type: 'mirror', card, effect: 'discard', aside: code >> ASIDE_SHIFT };
  return { type: BARE[type as keyof typeof BARE] };
}

/** The code of an action, without the order of a deal. */
export function encode(action: Action): number {
  if (action.type === 'mirror') {
    const aside = action.effect === 'discard' ? action.aside : 0;
    const type = action.effect === 'discard' ? ActionType.MIRROR_DISCARD : ActionType.MIRROR_DRAW;
    return type | (action.card << CARD_SHIFT) | (aside << ASIDE_SHIFT);
  }
  const type = ActionType[action.type.toUpperCase() as keyof typeof ActionType];
  return 'card' in action ? type | (action.card << CARD_SHIFT) : type;
}

/** Write an action as one word, the inverse of `parseAction`. */
export function formatAction(action: Action): string {
  if (action.type === 'mirror') return `${action.card}/${action.effect === 'draw' ? '+' : `-${action.aside}`}`;
  if (action.type === 'play') return String(action.card);
  if (action.type === 'misplay') return `${action.card}?`;
  return action.type === 'deal' && action.order ? `deal:${action.order.join()}` : action.type;
}

const CARD = String.raw`([1-9]\d?)`;
const NOTATION = new RegExp(String.raw`^(?:${CARD}(\?|/\+|/-${CARD})?|(deal|draw|pass|close)|deal:([\d,]+))$`);

/** Read an action. Throws a SyntaxError for what is none. */
export function parseAction(text: string): Action {
  const [, written, sign, aside, word, order] = NOTATION.exec(text) ?? [];
  const card = Number(written);
  if (word) return { type: word as 'deal' };
  if (order) return { type: 'deal', order: deal(order) };
  if (!written || Math.max(card, Number(aside ?? 0)) > CARDS)
    throw new SyntaxError(`not a decision of EKKO: ${text.slice(0, 40)}`);
  if (sign === '?') return { type: 'misplay', card };
  if (sign === '/+') return { type: 'mirror', card, effect: 'draw' };
  return aside ? { type: 'mirror', card, effect: 'discard', aside: Number(aside) } : { type: 'play', card };
}

function deal(text: string): number[] {
  const order = text.split(',').map(Number);
  const cards = new Set(order.filter((card) => card >= 1 && card <= CARDS));
  if (order.length !== CARDS || cards.size !== CARDS)
    throw new SyntaxError('a deal names each of the 98 cards once (K6.0)');
  return order;
}
