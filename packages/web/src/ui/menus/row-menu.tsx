import { Link, type LinkProps } from '@tanstack/react-router';
import { Ellipsis, type LucideIcon } from 'lucide-react';
import { cn } from '../cn.ts';
import { Menu, menuItemClass } from './menu.tsx';

interface Item {
  label: string;
  icon: LucideIcon;
  disabled?: boolean;
  /** Takes something away for good. */
  bad?: boolean;
}

/** A line of a menu: it does something, leads to a screen, or to an address elsewhere. */
export type MenuItem = Item & ({ act: () => void } | { to: LinkProps } | { href: string });

/** Lines of a menu; what does not apply is left out. */
export function MenuItems({ items }: { items: readonly (MenuItem | false)[] }) {
  return items.map((item) => {
    if (!item) return null;
    const { label, icon: Icon, disabled = false, bad = false } = item;
    const look = cn(menuItemClass, bad && 'text-bad');
    const face = (
      <>
        <Icon aria-hidden />
        {label}
      </>
    );
    if ('act' in item)
      return (
        <button key={label} type="button" className={look} disabled={disabled} onClick={item.act}>
          {face}
        </button>
      );
    return 'to' in item ? (
      <Link key={label} {...item.to} className={look}>
        {face}
      </Link>
    ) : (
      <a key={label} href={item.href} className={look}>
        {face}
      </a>
    );
  });
}

/** The actions of a row, behind one button. */
export function RowMenu({ label, items }: { label: string; items: readonly (MenuItem | false)[] }) {
  return (
    <Menu
      label={label}
      face={<Ellipsis className="size-4" aria-hidden />}
      buttonClass="inline-grid size-8 place-items-center rounded-md text-muted transition-colors hover:bg-hover hover:text-text"
    >
      <MenuItems items={items} />
    </Menu>
  );
}
