import type { ReactNode } from 'react';
import { type Guide, HelpLink } from './buttons/help-link.tsx';
import { cn } from './cn.ts';

interface PageHeaderProps {
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  /** The guide to link behind the description. */
  guide?: Guide;
}

export function PageHeader({ title, children, actions, guide }: PageHeaderProps) {
  return (
    <header className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
      <div className="min-w-0">
        <h1 className="text-xl font-semibold tracking-[-0.025em]">{title}</h1>
        {children ? (
          <p className="mt-0.5 max-w-2xl text-muted">
            {children} {guide ? <HelpLink guide={guide} /> : null}
          </p>
        ) : null}
      </div>
      {actions ? <div className="flex flex-wrap gap-2">{actions}</div> : null}
    </header>
  );
}

/** A hairline box around related content. */
export function Panel({ className, children }: { className?: string; children: ReactNode }) {
  return <div className={cn('rounded-lg border border-line bg-surface', className)}>{children}</div>;
}

interface SectionProps {
  title: string;
  hint?: ReactNode;
  children: ReactNode;
  className?: string;
}

/** Two columns: a title and description on the left, the controls on the right. */
export function Section({ title, hint, children, className }: SectionProps) {
  return (
    <section
      className={cn(
        'grid gap-x-10 gap-y-5 border-t border-line py-8 first:border-t-0 first:pt-0 lg:grid-cols-[220px_minmax(0,1fr)]',
        className,
      )}
    >
      <div>
        <h2 className="text-base font-semibold">{title}</h2>
        {hint ? <div className="mt-1 text-sm text-muted">{hint}</div> : null}
      </div>
      <div className="flex min-w-0 flex-col gap-5">{children}</div>
    </section>
  );
}

interface SectionHeadProps {
  /** The heading's id, for the section's `aria-labelledby`. */
  id: string;
  title: string;
  hint: ReactNode;
  /** The buttons beside it. */
  children?: ReactNode;
}

/** The heading of a section with a sentence below it and buttons beside it. */
export function SectionHead({ id, title, hint, children }: SectionHeadProps) {
  return (
    <div className="mb-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div>
        <h2 id={id} className="figures font-semibold">
          {title}
        </h2>
        <p className="max-w-2xl text-sm text-muted">{hint}</p>
      </div>
      {children}
    </div>
  );
}
