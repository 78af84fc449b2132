import { isMac } from './overlay.ts';

const OFF = 'single-keys';

/** Keys without Ctrl can get in the way of speech input, so they can be switched off. */
export const singleKeysOn = () => localStorage.getItem(OFF) !== 'off';
export const setSingleKeys = (on: boolean) => (on ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, 'off'));

export const paletteKeys = isMac ? ['⌘', 'K'] : ['Ctrl', 'K'];

export function isPaletteKey(event: KeyboardEvent): boolean {
  return isHeld(event) && event.key.toLowerCase() === 'k';
}

function isHeld(event: KeyboardEvent): boolean {
  const held = isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
  return held && !event.altKey && !event.shiftKey;
}

export const undoKeys = isMac ? ['⌘', 'Z'] : ['Ctrl', 'Z'];

export function isUndoKey(event: KeyboardEvent): boolean {
  return isHeld(event) && event.key.toLowerCase() === 'z';
}

/** Whether the keys belong to a text field or a dialog. */
export function isTaken({ target }: KeyboardEvent): boolean {
  const writing =
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
  return writing || dialogIsOpen();
}

export const dialogIsOpen = () => document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;
