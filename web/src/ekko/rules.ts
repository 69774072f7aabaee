import rules from '../engine/ekko.wasm?url';
import { rulesAt } from '../table/rules';

/** Loads a part of the page with the rules of EKKO, which it plays by. */
export const withRules = rulesAt(rules, () => import('./engine'));
