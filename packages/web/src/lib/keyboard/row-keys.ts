import { type RefObject, useEffect } from 'react';
import { isTaken, singleKeysOn } from './single-keys.ts';

interface Does {
  /** `c`: makes a new one. */
  create?: (() => void) | undefined;
}

const LINK = '[data-row-link]';

/** The links of the rows that are shown, from top to bottom: a table and its cards are never both. */
const linksOf = (list: HTMLElement) =>
  [...list.querySelectorAll<HTMLElement>(LINK)].filter((link) => link.offsetParent !== null);

/**
 * Keys of a list: `j` and `k` move through its rows, Enter opens one (it is a link), `x` selects it, `c` makes a new one.
 */
export function useRowKeys(list: RefObject<HTMLElement | null>, { create }: Does) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !singleKeysOn()) return;
      const box = list.current;
      const { target } = event;
      // x on a checkbox of the list is about its row too
      const picked = target instanceof HTMLInputElement && target.type === 'checkbox' && box?.contains(target);
      if (!box || (isTaken(event) && !picked)) return;
      const row = document.activeElement?.closest('tr, li');
      if (event.key === 'c' && create) {
        event.preventDefault();
        create();
      } else if (event.key === 'x' && row && box.contains(row)) {
        event.preventDefault();
        row.querySelector<HTMLInputElement>('input[type=checkbox]')?.click();
      } else if (event.key === 'j' || event.key === 'k') {
        const links = linksOf(box);
        const at = links.findIndex((link) => row?.contains(link));
        const next = links[at < 0 ? 0 : Math.max(0, Math.min(links.length - 1, at + (event.key === 'j' ? 1 : -1)))];
        if (!next) return;
        event.preventDefault();
        next.focus();
        next.scrollIntoView({ block: 'nearest' });
      }
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [list, create]);
}
