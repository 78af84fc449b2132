import { useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { Shop } from '#lib/types.ts';
import { Mark } from '#ui/mark.tsx';
import { Panel } from '#ui/page.tsx';
import { waitingOf } from '../health.ts';
import { kindWords } from '../kinds.ts';
import { newestDeliveryQuery, PACE_MS } from '../shop-queries.ts';

interface FirstReportProps {
  shop: Shop;
  onArrived: () => void;
  /** The next step. */
  children: ReactNode;
}

/** Waits for the first report of a shop, and shows what is wrong with what came. */
export function FirstReport({ shop, onArrived, children }: FirstReportProps) {
  const [since] = useState(() => Date.now());
  const now = useNow();
  const newest = useQuery(newestDeliveryQuery(shop.id, true));
  const waiting = waitingOf(shop, newest.data, { since, now });
  const arrived = waiting.step === 'arrived';
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it arrives
  useEffect(() => {
    if (arrived) onArrived();
  }, [arrived]);
  const bad = waiting.step === 'refused' || waiting.step === 'ignored';
  return (
    <Panel className="p-5">
      <section aria-label="The first report">
        <div className="flex items-start gap-3" role="status">
          {arrived ? (
            <CircleCheck className="mt-0.5 size-5 shrink-0 text-good" aria-hidden />
          ) : bad ? (
            <CircleAlert className="mt-0.5 size-5 shrink-0 text-bad" aria-hidden />
          ) : (
            <Mark className="mt-1 h-4 shrink-0 text-accent-text" playing={waiting.step !== 'secret'} />
          )}
          <p className="min-w-0 flex-1 font-medium wrap-anywhere">{waiting.text}</p>
        </div>
        {'checks' in waiting ? (
          <ul className="mt-3 flex list-disc flex-col gap-1 pl-12 text-sm text-muted">
            {waiting.checks.map((check) => (
              <li key={check}>{check}</li>
            ))}
          </ul>
        ) : null}
        {waiting.step === 'listening' ? (
          <p className="mt-2 pl-8 text-sm text-muted">{kindWords[shop.kind].tryIt}</p>
        ) : null}
        <div className="mt-4 flex justify-end">{children}</div>
      </section>
    </Panel>
  );
}

/** The moment, again and again while somebody waits. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), PACE_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
