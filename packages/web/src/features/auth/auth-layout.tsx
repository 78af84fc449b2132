import { Link } from '@tanstack/react-router';
import type { CSSProperties, ReactNode } from 'react';
import { ThemeToggle } from '#ui/buttons/theme-toggle.tsx';
import { cn } from '#ui/cn.ts';
import { Wordmark } from '#ui/mark.tsx';
import { rowOrder } from '#ui/mark-cells.ts';

interface AuthLayoutProps {
  title: string;
  lead?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}

export function AuthLayout({ title, lead, wide = false, children }: AuthLayoutProps) {
  return (
    <div className="grid grid-cols-1 min-h-dvh lg:grid-cols-[minmax(0,1fr)_minmax(0,0.82fr)]">
      <div className="flex min-w-0 flex-col px-5 sm:px-10">
        <header className="flex h-16 items-center justify-between">
          <Link to="/" aria-label="Tonerow, home" className="rounded-sm">
            <Wordmark />
          </Link>
          <ThemeToggle />
        </header>
        <main
          className={cn(
            'mx-auto flex w-full flex-1 flex-col justify-center py-10',
            wide ? 'max-w-[520px]' : 'max-w-[360px]',
          )}
        >
          <h1 className="text-xl font-semibold tracking-[-0.025em]">{title}</h1>
          {lead ? <p className="mt-1.5 text-muted">{lead}</p> : null}
          <div className="mt-7">{children}</div>
        </main>
        <footer className="flex h-14 items-center gap-5 text-sm text-muted">
          <Link to="/pricing" className="rounded-sm hover:text-text">
            Pricing
          </Link>
          <Link to="/terms" className="rounded-sm hover:text-text">
            Terms
          </Link>
        </footer>
      </div>
      <aside
        className="sticky top-0 hidden h-dvh overflow-hidden border-l border-line bg-sunken lg:block"
        aria-hidden="true"
      >
        <RowDrawing />
      </aside>
    </div>
  );
}

const letters = '8FQ27KXMV4TN';

/** A serial is a prefix and twelve characters: one for each cell of the mark, animated in the order of its row. */
function RowDrawing() {
  return (
    <div className="flex h-full flex-col items-center justify-center gap-10 p-12">
      <div className="grid w-full max-w-[420px] grid-cols-4 gap-3">
        {rowOrder.map((turn, cell) => (
          <div
            key={turn}
            style={{ '--turn': turn } as CSSProperties}
            className="sounding grid aspect-square place-items-center rounded-lg border border-line-strong bg-surface font-mono text-xl font-medium text-muted"
          >
            {letters[cell]}
          </div>
        ))}
      </div>
      <p className="font-mono text-md font-medium tracking-[0.06em] text-muted">TONE-8FQ2-7KXM-V4TN</p>
    </div>
  );
}
