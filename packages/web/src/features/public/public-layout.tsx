import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { getToken } from '#lib/session/session.ts';
import { LinkButton } from '#ui/button.tsx';
import { ThemeToggle } from '#ui/buttons/theme-toggle.tsx';
import { Wordmark } from '#ui/mark.tsx';

export function PublicLayout({ children }: { children: ReactNode }) {
  return (
    <div className="min-h-dvh">
      <header className="mx-auto flex h-16 max-w-[1080px] items-center gap-2 px-5">
        <Link to="/" aria-label="Tonerow, home" className="mr-auto rounded-sm">
          <Wordmark />
        </Link>
        <ThemeToggle />
        <LinkButton to="/" size="sm">
          {getToken() ? 'Dashboard' : 'Sign in'}
        </LinkButton>
      </header>
      <main className="mx-auto max-w-[1080px] px-5 pt-10 pb-24">{children}</main>
    </div>
  );
}
