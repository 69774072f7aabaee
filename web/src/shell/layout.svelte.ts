/** How much room the window gives to a table and what lies beside it. */
const size = $state({ width: innerWidth, height: innerHeight });

addEventListener('resize', () => Object.assign(size, { width: innerWidth, height: innerHeight }));

export const layout = {
  /** A column beside the table with everything in it. */
  get wide(): boolean {
    return size.width >= 1000;
  },
  /** A column beside it: with everything, or on a telephone laid down with the essentials. */
  get beside(): boolean {
    return layout.wide || (size.width >= 600 && size.height < 520);
  },
};
