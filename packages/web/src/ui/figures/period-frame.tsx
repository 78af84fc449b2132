import type { ReactNode } from 'react';
import { formatPeriod, type Period } from '#lib/time/period.ts';
import { cn } from '../cn.ts';
import { DateRangeSelect } from '../lists/filter-bar.tsx';
import { Panel, SectionHead } from '../page.tsx';
import { Failed } from '../states.tsx';

interface PeriodFrameProps {
  period: Period;
  /** As in the URL, see `DateRangeSelect`. */
  range: string;
  onRange: (range: string) => void;
  /** Describes where its days begin and end. */
  hint: string;
  /** The button beside the period. */
  actions: ReactNode;
  query: {
    data: unknown;
    isError: boolean;
    error: unknown;
    isPlaceholderData: boolean;
    isFetching: boolean;
    refetch: () => void;
  };
  failed?: string;
  /** The text for screen readers once the figures of another period have arrived. */
  announcement: string;
  /** Instead of the figures when there are none. */
  empty?: ReactNode;
  children: ReactNode;
}

/** The figures of a period that a person chooses: its heading, its states, and older figures staying while newer load. */
export function PeriodFrame(props: PeriodFrameProps) {
  const { period, query, failed = "This period couldn't be loaded" } = props;
  const fading = cn('transition-opacity', query.isPlaceholderData && 'opacity-60');
  return (
    <section aria-labelledby="period" className="mt-10">
      <SectionHead id="period" title={formatPeriod(period)} hint={props.hint}>
        <div className="flex flex-wrap gap-2 max-sm:w-full print:hidden">
          <DateRangeSelect label="Period" value={props.range} onChange={props.onRange} className="max-sm:w-full" />
          {props.actions}
        </div>
      </SectionHead>
      <p role="status" className="sr-only">
        {query.data && !query.isPlaceholderData ? `${formatPeriod(period)}: ${props.announcement}` : ''}
      </p>
      {query.isError ? (
        <Panel>
          <Failed title={failed} error={query.error} retry={query.refetch} retrying={query.isFetching} />
        </Panel>
      ) : props.empty ? (
        <Panel className={fading}>{props.empty}</Panel>
      ) : (
        <div className={cn('flex flex-col gap-4', fading)} aria-busy={!query.data || query.isPlaceholderData}>
          {props.children}
        </div>
      )}
    </section>
  );
}
