import { Link } from '@tanstack/react-router';
import { BookOpen, Keyboard, LogOut, Settings2, ShieldCheck } from 'lucide-react';
import { initialsOf } from '#lib/format/initials.ts';
import { showOverlay } from '#lib/keyboard/overlay.ts';
import { useLogout } from '#lib/session/use-logout.ts';
import type { Account } from '#lib/types.ts';
import { cn } from '#ui/cn.ts';
import { Menu, menuItemClass } from '#ui/menus/menu.tsx';

export function AccountMenu({ user: account }: { user: Account }) {
  const logout = useLogout();
  const initials = initialsOf(account.first_name, account.last_name);
  return (
    <Menu
      buttonClass="grid size-8 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent-text ring-1 ring-accent-line"
      face={
        <>
          <span aria-hidden>{initials}</span>
          <span className="sr-only">
            Account of {account.first_name} {account.last_name}
          </span>
        </>
      }
    >
      <div className="max-w-64 border-b border-line px-2.5 pt-1.5 pb-2.5">
        <div className="truncate font-medium">
          {account.first_name} {account.last_name}
        </div>
        <div className="truncate text-sm text-muted">{account.email}</div>
      </div>
      <div className="pt-1.5">
        <Link to={account.is_reseller ? '/reseller/settings' : '/dashboard/settings'} className={menuItemClass}>
          <Settings2 aria-hidden />
          Settings
        </Link>
        {account.is_admin ? (
          <Link to="/admin/emails" className={menuItemClass}>
            <ShieldCheck aria-hidden />
            Admin
          </Link>
        ) : null}
        <a href="/help" target="_blank" rel="noreferrer" className={menuItemClass}>
          <BookOpen aria-hidden />
          Help
          <span className="sr-only">(opens in a new tab)</span>
        </a>
        <button
          type="button"
          onClick={() => showOverlay('keys')}
          className={cn(menuItemClass, 'pointer-coarse:hidden')}
        >
          <Keyboard aria-hidden />
          Keyboard shortcuts
        </button>
        <button type="button" onClick={logout} className={menuItemClass}>
          <LogOut aria-hidden />
          Logout
        </button>
      </div>
    </Menu>
  );
}
