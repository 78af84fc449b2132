import { Ellipsis, Pencil, Power, PowerOff, RefreshCw, Trash2 } from 'lucide-react';
import type { PluginKey } from '#lib/types.ts';
import { Menu } from '#ui/menus/menu.tsx';
import { MenuItems } from '#ui/menus/row-menu.tsx';
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
      <MenuItems
        items={[
          { icon: Pencil, label: 'Rename', act: () => onAsk('rename') },
          state === 'active' && { icon: RefreshCw, label: 'Rotate', act: () => onAsk('rotate') },
          !ended && {
            icon: item.isActive ? PowerOff : Power,
            label: item.isActive ? 'Deactivate' : 'Activate',
            disabled: busy,
            act: () => onActivate(!item.isActive),
          },
          { icon: Trash2, label: 'Delete', bad: true, act: () => onAsk('delete') },
        ]}
      />
    </Menu>
  );
}
