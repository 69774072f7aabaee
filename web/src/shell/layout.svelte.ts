/** How much room the window gives to a table and what lies beside it. */
import { innerHeight, innerWidth } from 'svelte/reactivity/window';

export const layout = {
  /** A column beside the table with everything in it. */
  get wide(): boolean {
    return (innerWidth.current ?? 0) >= 1000;
  },
  /** A column beside it: with everything, or on a telephone laid down with the essentials. */
  get beside(): boolean {
    return layout.wide || ((innerWidth.current ?? 0) >= 600 && (innerHeight.current ?? 0) < 520);
  },
};
