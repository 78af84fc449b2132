import { type RefObject, useEffect, useRef, useSyncExternalStore } from 'react';
import { isMac } from './overlay.ts';

const OFF = 'single-keys';
const listeners = new Set<() => void>();

/** Keys without Ctrl can get in the way of speech input, so they can be switched off. */
export const singleKeysOn = () => localStorage.getItem(OFF) !== 'off';
export function setSingleKeys(on: boolean) {
  if (on) localStorage.removeItem(OFF);
  else localStorage.setItem(OFF, 'off');
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
export const useSingleKeys = () => useSyncExternalStore(subscribe, singleKeysOn, singleKeysOn);

/** Actions of single keys on the page of a record, in the words of the list of keys. */
export const keyedActs = {
  edit: { key: 'e', words: 'Edit it' },
  revoke: { key: 'r', words: 'Revoke or reassign it' },
  refund: { key: 'f', words: 'Refund it' },
  owner: { key: 'o', words: 'Change its owner' },
  note: { key: 'n', words: 'Write a note' },
} as const;
export type KeyedAct = keyof typeof keyedActs;

/** Acts on a key without Ctrl while its element is in sight, nobody types and no dialog is open. The first one that fits has it. */
export function useSingleKey(key: string, element: RefObject<HTMLElement | null>, act: () => void) {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      if (event.defaultPrevented || !element.current?.offsetParent || !singleKeysOn() || isTaken(event)) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [key, element]);
}

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
