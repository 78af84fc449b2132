import { Menu as MenuIcon, Search } from 'lucide-react';
import { isMac, showOverlay } from '#lib/keyboard/overlay.ts';
import type { Account } from '#lib/types.ts';
import { IconButton } from '#ui/button.tsx';
import { ThemeToggle } from '#ui/buttons/theme-toggle.tsx';
import { usePending } from '#widgets/pending/use-pending.ts';
import { AccountMenu } from './account-menu.tsx';
import { Bell } from './bell/bell.tsx';
import { PlanBadge } from './plan-badge.tsx';

interface HeaderProps {
  user: Account;
  onMenu: () => void;
}

export function Header({ user: account, onMenu }: HeaderProps) {
  const pending = usePending(account);
  return (
    <header className="sticky top-0 z-30 flex h-14 items-center gap-2 border-b border-line bg-canvas px-4 md:px-8 print:hidden">
      <IconButton label="Open menu" onClick={onMenu} className="-ml-1.5 md:hidden">
        <MenuIcon aria-hidden />
      </IconButton>
      <span className="font-medium">{account.is_reseller ? 'Reseller' : 'Developer'}</span>
      <div className="ml-auto flex items-center gap-1">
        {account.is_reseller ? null : <PlanBadge />}
        <SearchButton />
        <ThemeToggle />
        <Bell pending={pending} />
        <AccountMenu user={account} />
      </div>
    </header>
  );
}

function SearchButton() {
  return (
    <button
      type="button"
      onClick={() => showOverlay('palette')}
      aria-haspopup="dialog"
      aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
      title="Search"
      className="flex size-8 shrink-0 items-center justify-center gap-2 rounded-md text-muted transition-colors hover:bg-hover hover:text-text lg:mr-1 lg:w-44 lg:justify-start lg:border lg:border-line-strong lg:bg-surface lg:px-2.5"
    >
      <Search className="size-4 shrink-0" aria-hidden />
      <span className="text-sm max-lg:sr-only">Search</span>
      <kbd className="ml-auto hidden font-sans text-xs text-muted lg:inline" aria-hidden>
        {isMac ? '⌘ K' : 'Ctrl K'}
      </kbd>
    </button>
  );
}
