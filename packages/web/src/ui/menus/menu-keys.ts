/** The text typed to find an item, and when it was typed. */
export interface Typed {
  text: string;
  at: number;
}

/** Letters typed within this time are one search. */
const PAUSE_MS = 700;

/**
 * The item that a key moves the focus to, or undefined when the key means nothing in a menu.
 * @param current the focused item; -1 when none is.
 * @param typed what was typed before; updated by a letter.
 */
export function nextItem(
  key: string,
  labels: readonly string[],
  current: number,
  typed: Typed,
  now: number,
): number | undefined {
  const { length } = labels;
  if (length === 0) return undefined;
  if (key === 'ArrowDown') return (current + 1) % length;
  if (key === 'ArrowUp') return current <= 0 ? length - 1 : current - 1;
  if (key === 'Home') return 0;
  if (key === 'End') return length - 1;
  if (key.length !== 1) return undefined;
  const continues = now - typed.at < PAUSE_MS && typed.text !== '';
  // the space bar presses the item, except within a search
  if (key === ' ' && !continues) return undefined;
  const letter = key.toLowerCase();
  typed.text = continues && typed.text !== letter ? typed.text + letter : letter;
  typed.at = now;
  // one letter goes to the next item that begins with it; more letters may still fit the current one
  const start = typed.text.length === 1 ? current + 1 : Math.max(current, 0);
  for (let step = 0; step < length; step += 1) {
    const at = (start + step) % length;
    if (labels[at]?.trim().toLowerCase().startsWith(typed.text)) return at;
  }
  return undefined;
}
