import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import { periodOf } from '#platform/time/days.ts';
import type { SerialListState } from './list.schemas.ts';
import { type SerialChoices, serialConditions } from './serial-filter.ts';
import type { SerialFilter } from './serial-list.queries.ts';

/** A query for the list of serials. */
export interface SerialQuery extends SerialChoices {
  dateRange: string;
  state?: SerialListState | undefined;
  product_id?: string | undefined;
  batch_id?: string | undefined;
  search?: string | undefined;
}

/** @throws {AppError} invalid_request at the parameter. */
export const serialFilterOf = (caller: Principal, query: SerialQuery, clock: Clock): SerialFilter => ({
  developerId: caller.accountId,
  state: query.state,
  productId: query.product_id,
  batchIds: query.batch_id === undefined ? undefined : [query.batch_id],
  search: query.search || undefined,
  chosen: serialConditions(query, periodOf(query.dateRange, caller.timeZone, clock)),
  now: clock.now(),
});
