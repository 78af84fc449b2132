import { Fragment, type ReactNode } from 'react';
import { formatChosen, formatDay, formatExact, formatRelative, formatUtc, formatUtcDay } from '#lib/format/format.ts';
import { useCopy } from '#lib/hooks.ts';
import { accountZone, browserZone, type Edge, sameClock } from '#lib/time/zone.ts';
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

interface DayProps extends MomentProps {
  /** Whether a date that somebody chose, such as the end of a deal, begins or ends what it is about. */
  edge?: Edge;
  /** The zone of the account that chose it, where that is not this one. */
  owner?: string;
}

/** A day, where a plan or a fact has one; the exact moment as above. */
export function Day({ iso, edge, owner, className }: DayProps) {
  return (
    <Moment iso={iso} className={className}>
      {edge ? formatChosen(iso, edge, owner) : formatDay(iso)}
    </Moment>
  );
}

/** A day in UTC, as bills and statements have them. */
export function UtcDay({ iso, className }: MomentProps) {
  return (
    <Moment iso={iso} className={className}>
      {formatUtcDay(iso)}
    </Moment>
  );
}

/** Day and time in UTC. */
export function UtcTime({ iso, className }: MomentProps) {
  return (
    <Moment iso={iso} className={className}>
      {formatUtc(iso)}
    </Moment>
  );
}

/** The account's clock, the browser's where it shows something else, and UTC. */
function clocksOf(iso: string): string[] {
  const own = accountZone();
  const zones = sameClock(iso, own, browserZone) ? [own] : [own, browserZone];
  return zones.includes('UTC') ? zones : [...zones, 'UTC'];
}

function Moment({ iso, className, children }: MomentProps & { children: ReactNode }) {
  const { copied, copy } = useCopy();
  const exact = new Date(iso).toISOString();
  return (
    <Tooltip
      content={
        <>
          <span className="figures grid grid-cols-[auto_1fr] gap-x-3">
            {clocksOf(iso).map((zone) => (
              <Fragment key={zone}>
                <span className="text-muted">{zone.replaceAll('_', ' ')}</span>
                <span>{formatExact(iso, zone)}</span>
              </Fragment>
            ))}
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
