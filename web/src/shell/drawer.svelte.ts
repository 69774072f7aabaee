
export type CommonTab = 'chat' | 'rules' | 'settings' | 'game';

export class DrawerState<Tab extends string> {
  tab = $state<Tab | CommonTab | null>(null);
  anchor = $state<string | null>(null);

  open(tab: Tab | CommonTab): void {
    [this.anchor, this.tab] = [null, tab];
  }
  rule(rule: string): void {
    [this.anchor, this.tab] = [rule, 'rules'];
  }
  close(): void {
    [this.tab, this.anchor] = [null, null];
  }
}
