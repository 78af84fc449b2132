import { ArrowDown, ArrowUp } from 'lucide-react';
import { formatMoment } from '#lib/format/format.ts';
import { formatPeriod } from '#lib/time/period.ts';
import { cn } from '../cn.ts';
import { Tooltip } from '../tooltip.tsx';

interface ChangeProps {
  now: number;
  /** Null: there are no earlier data to compare with. */
  before: number | null;
  format: (value: number) => string;
  /** The period that it is compared with, such as `Oct 1 – 22, 2026`. */
  period: string;
}

interface Previous {
  startDate: string;
  endDate: string;
  /** Null: whole days. */
  until: string | null;
}

/** The days that figures are compared with, in words. */
export function previousWords(previous: Previous | null): string {
  if (!previous) return '';
  const days = formatPeriod({ from: previous.startDate, to: previous.endDate });
  return previous.until ? `${days}, up to ${formatMoment(previous.until)}` : days;
}

const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 0 });

/** `+12%`; null where there is nothing to be a percentage of. */
export function changeOf(now: number, before: number): string | null {
  if (now === before) return 'No change';
  if (before === 0) return null;
  const share = (now - before) / Math.abs(before);
  const text = percent.format(Math.abs(share));
  // half a percent of a large figure is not nothing
  if (text === '0%') return share > 0 ? '+<1%' : '-<1%';
  return `${share > 0 ? '+' : '-'}${text}`;
}

/** How a figure has changed against an earlier period, whose own value is in the tooltip. */
export function Change({ now, before, format, period }: ChangeProps) {
  if (before === null) return <span className="text-muted">No earlier data</span>;
  const Arrow = now > before ? ArrowUp : now < before ? ArrowDown : null;
  return (
    <Tooltip
      content={
        <span className="figures">
          {format(before)} in {period}
        </span>
      }
    >
      {(trigger) => (
        <span
          {...trigger}
          className={cn(
            'inline-flex cursor-default items-center gap-0.5 rounded-sm font-medium',
            now > before ? 'text-good' : now < before ? 'text-bad' : 'text-muted',
          )}
        >
          {Arrow ? <Arrow className="size-3" aria-hidden /> : null}
          {changeOf(now, before) ?? `from ${format(0)}`}
        </span>
      )}
    </Tooltip>
  );
}
