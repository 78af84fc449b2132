import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { describeError, endedSession } from '#lib/errors.ts';
import { Button } from './button.tsx';
import { CopyButton } from './buttons/copy-button.tsx';
import { cn } from './cn.ts';
import { rowOrder } from './mark-cells.ts';

/** The twelve cells as a drawing: an empty row with one note set. */
function EmptyDrawing({ lit = 1 }: { lit?: number }) {
  return (
    <svg viewBox="0 0 118 88" className="h-[66px] text-accent-text" aria-hidden="true">
      {rowOrder.map((turn, cell) => (
        <rect
          key={turn}
          x={(cell % 4) * 30 + 1}
          y={Math.floor(cell / 4) * 30 + 1}
          width="26"
          height="26"
          rx="6"
          className={turn < lit ? 'fill-current' : 'fill-surface stroke-line-strong'}
          strokeWidth="1.5"
        />
      ))}
    </svg>
  );
}

interface EmptyProps {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  className?: string;
  /** `h1` where nothing else on the screen has a title. */
  heading?: 'h1' | 'h2';
}

/** Why there is nothing here, and what to do next. */
export function Empty({ title, children, action, className, heading: Heading = 'h2' }: EmptyProps) {
  return (
    <div className={cn('flex flex-col items-center px-6 py-16 text-center', className)}>
      <EmptyDrawing />
      <Heading className="mt-6 text-md font-semibold tracking-[-0.01em]">{title}</Heading>
      {children ? <p className="mt-1.5 max-w-md text-balance text-muted">{children}</p> : null}
      {action ? <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div> : null}
    </div>
  );
}

interface FailedProps {
  title?: string;
  error: unknown;
  retry?: () => void;
  retrying?: boolean;
  className?: string;
  heading?: 'h1' | 'h2';
}

/** The error, the request id to quote to support, and a retry button. */
export function Failed({
  title = "This couldn't be loaded",
  error,
  retry,
  retrying = false,
  className,
  heading: Heading = 'h2',
}: FailedProps) {
  const problem = describeError(error);
  return (
    <div role="alert" className={cn('flex flex-col items-center px-6 py-16 text-center', className)}>
      <Heading className="text-md font-semibold tracking-[-0.01em]">{title}</Heading>
      <p className="mt-1.5 max-w-md text-balance text-muted">{problem.message}</p>
      {problem.requestId ? (
        <p className="mt-3 flex max-w-full flex-wrap items-center justify-center gap-1 text-sm text-muted">
          Request <code className="font-mono text-xs break-all text-text">{problem.requestId}</code>
          <CopyButton compact text={problem.requestId} what="the request id" />
        </p>
      ) : null}
      {retry ? (
        <Button className="mt-5" onClick={retry} busy={retrying}>
          <RotateCw className="size-4" aria-hidden />
          Retry
        </Button>
      ) : null}
    </div>
  );
}

/** A message inside a form. */
export function Notice({ tone = 'bad', children }: { tone?: 'bad' | 'good' | 'plain' | 'warn'; children: ReactNode }) {
  const tones = {
    bad: 'bg-bad-soft text-bad',
    good: 'bg-good-soft text-good',
    warn: 'bg-warn-soft text-warn',
    plain: 'bg-sunken text-muted',
  };
  return (
    <div role={tone === 'bad' ? 'alert' : 'status'} className={cn('rounded-md px-3.5 py-2.5 text-sm', tones[tone])}>
      {children}
    </div>
  );
}

/** A failed submission, with the request id to quote. Not an ended session: that error would remain after the next sign-in. */
export function FormError({ title, error }: { title?: string; error: unknown }) {
  if (!error || endedSession(error)) return null;
  const problem = describeError(error);
  return (
    <Notice>
      {title ? <strong className="font-semibold">{title} </strong> : null}
      {problem.message}
      {problem.requestId ? (
        <span className="mt-0.5 block font-mono text-xs break-all">Request {problem.requestId}</span>
      ) : null}
    </Notice>
  );
}
