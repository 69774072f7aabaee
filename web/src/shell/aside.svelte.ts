/** What lies beside a game: which leaf of the drawer is open, and the rule that is looked up in it. */

/** The leaves that every game has. */
export type CommonLeaf = 'chat' | 'rules' | 'settings' | 'game';

export class Aside<Leaf extends string> {
  leaf = $state<Leaf | CommonLeaf | null>(null);
  anchor = $state<string | null>(null);

  open(leaf: Leaf | CommonLeaf): void {
    [this.anchor, this.leaf] = [null, leaf];
  }
  /** Opens the rules at one of them. */
  rule(rule: string): void {
    [this.anchor, this.leaf] = [rule, 'rules'];
  }
  close(): void {
    [this.leaf, this.anchor] = [null, null];
  }
}
