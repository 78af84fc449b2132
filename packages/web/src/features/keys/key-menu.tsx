import { Ellipsis, Pencil, Power, PowerOff, RefreshCw, Trash2 } from 'lucide-react';
import type { PluginKey } from '#lib/types.ts';
import { Menu, menuItemClass } from '#ui/menus/menu.tsx';
import { keyState } from './keys-query.ts';

interface KeyMenuProps {
  item: PluginKey;
  busy: boolean;
  onAsk: (what: 'rename' | 'rotate' | 'delete') => void;
  onActivate: (active: boolean) => void;
}

export function KeyMenu({ item, busy, onAsk, onActivate }: KeyMenuProps) {
  const state = keyState(item);
  // a key that a rotation has ended stays that way
  const ended = item.expires_at !== null && state === 'inactive';
  return (
    <Menu
      buttonClass="grid size-8 max-sm:ml-auto place-items-center rounded-md text-muted hover:bg-hover hover:text-text"
      face={
        <>
          <Ellipsis className="size-4" aria-hidden />
          <span className="sr-only">More for {item.label}</span>
        </>
      }
    >
      <button type="button" className={menuItemClass} onClick={() => onAsk('rename')}>
        <Pencil aria-hidden />
        Rename
      </button>
      {state === 'active' ? (
        <button type="button" className={menuItemClass} onClick={() => onAsk('rotate')}>
          <RefreshCw aria-hidden />
          Rotate
        </button>
      ) : null}
      {ended ? null : (
        <button type="button" className={menuItemClass} disabled={busy} onClick={() => onActivate(!item.isActive)}>
          {item.isActive ? <PowerOff aria-hidden /> : <Power aria-hidden />}
          {item.isActive ? 'Deactivate' : 'Activate'}
        </button>
      )}
      <button type="button" className={`${menuItemClass} text-bad`} onClick={() => onAsk('delete')}>
        <Trash2 aria-hidden />
        Delete
      </button>
    </Menu>
  );
}
