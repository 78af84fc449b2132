import { defaultRange } from '#lib/time/period.ts';
import { type AnalyticsSearch, type AnalyticsView, defaultSeen } from './view.ts';

/** The address of the screen as it is shown. */
export const searchOf = (view: AnalyticsView): AnalyticsSearch => ({
  part: view.part === 'sales' ? undefined : view.part,
  range: view.range === defaultRange ? undefined : view.range,
  sort: view.sort === 'redemptions' ? undefined : view.sort,
  order: view.descending ? undefined : 'asc',
  locations: view.everywhere ? 'all' : undefined,
  seen: view.seen === defaultSeen ? undefined : view.seen,
  product: view.product || undefined,
  reseller: view.reseller || undefined,
  country: view.country || undefined,
});
