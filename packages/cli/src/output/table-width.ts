import { AsyncLocalStorage } from 'node:async_hooks';

/** How many characters wide the terminal is that tables are printed on. */
const running = new AsyncLocalStorage<number>();

/** @param columns undefined where there is no terminal, 0 where it does not know its size: nothing is cut then. */
export const withTableWidth = <Result>(columns: number | undefined, run: () => Result): Result =>
  columns ? running.run(columns, run) : run();

export const tableWidth = (): number | undefined => running.getStore();

/** Columns that people copy, and that mean nothing in part. */
const EXACT = new Set(['ID', 'CODE', 'SERIAL', 'NUMBER', 'KEY', 'TOKEN', 'REQUEST']);
/** Less of a text means nothing. */
const LEAST = 12;
const GAP = 2;

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const NUMBER = /^[\d\s.,:$€%+×/–TZ-]*$/;

/** How many characters wide a text is shown. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += WIDE.test(character) ? 2 : 1;
  return width;
}

/** A text that is at most so wide, with … where something is missing. */
export function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let [kept, used] = ['', 1];
  for (const character of text) {
    used += WIDE.test(character) ? 2 : 1;
    if (used > width) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

/** Whether a column may be cut: words, but neither numbers nor what is copied. */
export const mayBeCut = (head: string, cells: readonly string[]): boolean =>
  !EXACT.has(head) && !cells.every((cell) => NUMBER.test(cell));

/** How wide columns are together. */
export const widthOfAll = (widths: readonly number[]): number => widths.reduce((sum, width) => sum + width + GAP, -GAP);

/**
 * The widths of columns in so much room: the widest ones that may be cut give way, down to their heads.
 * If the columns still do not fit, the terminal deals with it.
 */
export function fitWidths(columns: readonly { head: string; width: number; cut: boolean }[], room: number): number[] {
  const widths = columns.map(({ width }) => width);
  const least = columns.map(({ head }) => Math.max(LEAST, head.length));
  let over = widthOfAll(widths) - room;
  while (over > 0) {
    let widest = -1;
    columns.forEach(({ cut }, at) => {
      const width = widths[at] as number;
      if (cut && width > (least[at] as number) && width > (widths[widest] ?? 0)) widest = at;
    });
    if (widest === -1) break;
    widths[widest] = (widths[widest] as number) - 1;
    over -= 1;
  }
  return widths;
}
