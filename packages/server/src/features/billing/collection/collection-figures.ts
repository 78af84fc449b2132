import type { Clock } from '#platform/clock.ts';
import type { Metrics } from '#platform/metrics/metrics.ts';
import type { BillingDb } from '../tables.ts';
import { oldestDue } from './due.queries.ts';

/** Figures for alerts: whether due invoices are collected, and why not. @returns counts turns that came to nothing. */
export function collectionFigures({ metrics, db, clock }: { metrics: Metrics; db: BillingDb; clock: Clock }) {
  metrics.measured(
    {
      name: 'tonerow_collection_overdue_seconds',
      help: 'For how long the oldest invoice that is due has been waiting to be worked on',
    },
    async () => {
      const oldest = await oldestDue(db);
      return [[{}, oldest === null ? 0 : Math.max(0, (clock.now().getTime() - oldest.getTime()) / 1000)]];
    },
    60_000,
  );
  return metrics.counter({
    name: 'tonerow_collection_failures_total',
    help: 'Invoices that this process could not work on, for a reason that is not the card’s; they are tried again',
    labelNames: ['reason'],
  });
}
