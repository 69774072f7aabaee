/** What the seat to move may do, from the engine. */
import type { Description, EkoPosition } from '../engine/eko/position';
import type { Action, Choice, Effect, SpaceName } from './protocol';

export function choicesOf(position: EkoPosition): Choice[] {
  return position.legal().map((action) => new Legal(position, action));
}

/** A legal action. Its effect is computed only when it is shown: there may be thousands. */
class Legal<A extends Action> implements Choice<A> {
  #effect?: Effect;
  #described?: Description;

  constructor(
    private readonly position: EkoPosition,
    readonly action: A,
  ) {}

  get effect(): Effect {
    return (this.#effect ??= this.position.effect(this.action));
  }
  get path(): readonly SpaceName[] | undefined {
    return this.action.type === 'move' ? this.#description.path : undefined;
  }
  get height(): number | undefined {
    return this.#description.height;
  }
  get lost(): number {
    return this.action.type === 'move' ? (this.action.zones?.length ?? 0) : 0;
  }
  get cost(): number | undefined {
    return this.action.type === 'move' || this.action.type === 'reinforce' ? undefined : this.#description.cost;
  }

  get #description(): Description {
    return (this.#described ??= this.position.describe(this.action));
  }
}
