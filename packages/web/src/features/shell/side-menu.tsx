import { Link } from '@tanstack/react-router';
import { homeOf } from '#lib/session/session.ts';
import { cn } from '#ui/cn.ts';
import { Wordmark } from '#ui/mark.tsx';
import { FirstStepsEntry } from './first-steps-entry.tsx';
import { developerMenu, resellerMenu } from './menu-items.ts';

interface SideMenuProps {
  reseller: boolean;
  pathname: string;
  label: string;
}

export function SideMenu({ reseller, pathname, label }: SideMenuProps) {
  const entries = reseller ? resellerMenu : developerMenu;
  return (
    <>
      <Link to={homeOf({ is_reseller: reseller })} className="flex h-14 items-center px-5" aria-label="Tonerow, home">
        <Wordmark />
      </Link>
      <nav aria-label={label} className="flex flex-col gap-0.5 px-3 py-3">
        {entries.map(({ label: words, icon: Icon, to, under = [to] }) => {
          const active = under.some((root) => pathname === root || pathname.startsWith(`${root}/`));
          return (
            <Link
              key={to}
              to={to}
              aria-current={active ? 'page' : undefined}
              className={cn(
                'flex h-9 items-center gap-3 rounded-md px-2.5 font-medium transition-colors',
                active ? 'bg-hover text-text' : 'text-muted hover:bg-hover hover:text-text',
              )}
            >
              <Icon className={cn('size-[17px]', active && 'text-accent-text')} strokeWidth={1.9} aria-hidden />
              {words}
            </Link>
          );
        })}
      </nav>
      {reseller ? null : <FirstStepsEntry />}
    </>
  );
}
