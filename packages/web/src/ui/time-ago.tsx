import type { ReactNode } from 'react';
import { formatDay, formatExact, formatRelative, localZone } from '../lib/format.ts';
import { useCopy } from '../lib/hooks.ts';
import { cn } from './cn.ts';
import { Tooltip } from './tooltip.tsx';

interface MomentProps {
  iso: string;
  className?: string | undefined;
}

const FAR = 30 * 86_400_000;

/** `3 days ago`, or the day of what is long ago; everything else about the moment on hover or focus, and a click copies it. */
export function TimeAgo({ iso, className }: MomentProps) {
  const far = Math.abs(Date.now() - new Date(iso).getTime()) > FAR;
  return (
    <Moment iso={iso} className={className}>
      {far ? formatDay(iso) : formatRelative(iso)}
    </Moment>
  );
}

/** A day, where a plan or a fact has one; the exact moment as above. */
export function Day({ iso, className }: MomentProps) {
  return (
    <Moment iso={iso} className={className}>
      {formatDay(iso)}
    </Moment>
  );
}

function Moment({ iso, className, children }: MomentProps & { children: ReactNode }) {
  const { copied, copy } = useCopy();
  const exact = new Date(iso).toISOString();
  return (
    <Tooltip
      content={
        <>
          <span className="figures grid grid-cols-[auto_1fr] gap-x-3">
            {localZone === 'UTC' ? null : (
              <>
                <span className="text-muted">{localZone}</span>
                <span>{formatExact(iso)}</span>
              </>
            )}
            <span className="text-muted">UTC</span>
            <span>{formatExact(iso, 'UTC')}</span>
            <span className="text-muted">That is</span>
            <span>{formatRelative(iso)}</span>
          </span>
          <span className="mt-1 block text-xs text-muted">{copied ? 'Copied' : 'A click copies it'}</span>
        </>
      }
    >
      {(trigger) => (
        <button
          type="button"
          {...trigger}
          onClick={(event) => {
            event.preventDefault();
            copy(exact);
          }}
          className={cn(
            'figures inline cursor-default rounded-[3px] text-left whitespace-nowrap decoration-line-strong decoration-dotted underline-offset-4 hover:underline',
            className,
          )}
        >
          <time dateTime={iso}>{children}</time>
          <span role="status" className="sr-only">
            {copied ? 'Copied' : ''}
          </span>
        </button>
      )}
    </Tooltip>
  );
}
