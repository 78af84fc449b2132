import type { Readable } from 'node:stream';
import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import { byKind, countedTogether } from '#platform/db/statements/choices.ts';
import { COUNT_LIMIT, countedTo } from '#platform/db/statements/count-limit.ts';
import { invalidField } from '#platform/errors.ts';
import { decodeCursor, isMoment, type Page, pageOf, uncounted } from '#platform/http/answers/cursor.ts';
import { isId } from '#platform/ids.ts';
import type { Exports } from '#platform/spool/exports.ts';
import { dayOf, endOfDay, type Period, periodOf, startOfDay } from '#platform/time/days.ts';
import { choicesAmongNewest, choicesOfSums, isSummed } from './choices.queries.ts';
import { countCustomers, customersExport, listCustomers } from './customers.queries.ts';
import { type EntryFilter, matchOf, type Place } from './entries.ts';
import { countByDay, countEntries, type Days, totalsOf } from './figures.queries.ts';
import { newestFirst } from './newest-first.ts';
import { type Seller, sellerOf } from './partners.ts';
import type { SalesDb } from './tables.ts';
import { choiceKinds, chosenOf, type TransactionChoices } from './transaction-choices.ts';
import { countTransactions, listTransactions, transactionsExport } from './transactions.queries.ts';

/** Further pages begin at the day that they are in, because rows that are skipped have to be read. */
const NEAR = 1000;
/** So many rows of each partnership are read at once. */
const AT_ONCE = 100;

interface Filter extends TransactionChoices {
  search?: string | undefined;
  dateRange: string;
}
interface ListQuery extends Filter {
  page: number;
  limit: number;
  cursor?: string | undefined;
  count: boolean;
}

interface Dependencies {
  db: SalesDb;
  clock: Clock;
  exports: Exports;
}

/** A reseller's sales and customers, row by row. */
export class SalesLists {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async transactions(caller: Principal, query: ListQuery) {
    const { db } = this.#deps;
    const filter = this.#filter(await sellerOf(db, caller.accountId), caller, query);
    const after = placeOf(query.cursor);
    const match = await matchOf(db, filter);
    const { limit, count } = query;
    const offset = after ? 0 : (query.page - 1) * limit;
    refuseFarPage(filter, offset);
    const [found, total] = await Promise.all([
      this.#page(caller, filter, { match, after, offset, limit: limit + 1 }),
      !count ? null : isNarrow(filter) ? countTransactions(db, filter, match) : this.#countAll(caller, filter),
    ]);
    const page = pageOf(found, limit, (last) => [last.at.toISOString(), last.id]);
    return { ...page, ...this.#described(caller, query), ...totalOf(page, total, isNarrow(filter)) };
  }

  async transactionsCsv(caller: Principal, query: Filter, signal: AbortSignal): Promise<Readable> {
    const { db, exports } = this.#deps;
    const filter = this.#filter(await sellerOf(db, caller.accountId), caller, query);
    return exports.open(caller.accountId, () => transactionsExport(db, filter, caller.timeZone), signal);
  }

  /** The choices of each filter, counted with the other filters as they are. */
  async choices(caller: Principal, query: Filter) {
    const { db } = this.#deps;
    const seller = await sellerOf(db, caller.accountId);
    const found = [];
    for (const { kinds, query: each } of countedTogether(choiceKinds, query)) {
      const filter = this.#filter(seller, caller, each);
      const summed = kinds.filter((kind) => isSummed(kind, each));
      const looked = kinds.filter((kind) => !summed.includes(kind));
      const { period } = filter;
      const days = period.from || period.to ? daysOf(seller, caller, period) : null;
      if (summed.length > 0) found.push(...(await choicesOfSums(db, summed, each, { seller, days })));
      if (looked.length > 0) found.push(...(await choicesAmongNewest(db, looked, filter)));
    }
    return byKind(choiceKinds, found);
  }

  async customers(caller: Principal, query: ListQuery) {
    const { db } = this.#deps;
    const filter = this.#filter(await sellerOf(db, caller.accountId), caller, query);
    const after = placeOf(query.cursor);
    const match = await matchOf(db, filter);
    const { limit, count } = query;
    const offset = after ? 0 : (query.page - 1) * limit;
    if (offset >= COUNT_LIMIT) throw invalidField('page', `Use \`cursor\` after the first ${COUNT_LIMIT} rows.`);
    const [found, total] = await Promise.all([
      newestFirst(this.#span(filter, after), limit + 1, (since) =>
        listCustomers(db, filter, { match, after, since, offset, limit: limit + 1 }),
      ),
      count ? countCustomers(db, filter, match) : null,
    ]);
    const page = pageOf(found, limit, (last) => [last.last_redeemed_at.toISOString(), last.redemption_id]);
    return {
      rows: page.rows.map(({ redemption_id: _, ...row }) => row),
      next_cursor: page.next_cursor,
      ...this.#described(caller, query),
      ...totalOf(page, total, true),
    };
  }

  async customersCsv(caller: Principal, query: Filter, signal: AbortSignal): Promise<Readable> {
    const { db, exports } = this.#deps;
    const filter = this.#filter(await sellerOf(db, caller.accountId), caller, query);
    return exports.open(caller.accountId, () => customersExport(db, filter, caller.timeZone), signal);
  }

  /** A page however far: beyond the first ones, the sums show the day it begins on. */
  async #page(
    caller: Principal,
    filter: EntryFilter,
    page: Parameters<typeof listTransactions>[2],
  ): ReturnType<typeof listTransactions> {
    const { db } = this.#deps;
    if (isNarrow(filter) || page.offset < NEAR) return this.#newest(filter, page);
    let { offset } = page;
    for (const { day, entries } of await countByDay(db, daysOf(filter, caller, filter.period))) {
      if (offset < entries) {
        const period = { from: filter.period.from, to: endOfDay(day, caller.timeZone) };
        return this.#newest({ ...filter, period }, { ...page, offset });
      }
      offset -= entries;
    }
    return [];
  }

  #newest(filter: EntryFilter, page: Parameters<typeof listTransactions>[2]): ReturnType<typeof listTransactions> {
    const { db } = this.#deps;
    const { match, offset, limit, after } = page;
    const few = match.parts ? !match.parts.many : offset + limit <= AT_ONCE;
    if (few) return listTransactions(db, filter, page);
    return newestFirst(this.#span(filter, after), limit, (from) =>
      listTransactions(db, from ? { ...filter, period: { ...filter.period, from } } : filter, page),
    );
  }

  #span({ period, search }: EntryFilter, after: Place | null) {
    const upper = after ? new Date(after.at) : (period.to ?? this.#deps.clock.now());
    return { upper, lower: period.from, search: search !== undefined };
  }

  #countAll(caller: Principal, filter: EntryFilter): Promise<number> {
    const { db } = this.#deps;
    const { from, to } = filter.period;
    if (!from && !to) return totalsOf(db, filter).then(({ entries }) => entries);
    return countEntries(db, daysOf(filter, caller, filter.period));
  }

  #filter({ resellerId, developers }: Seller, caller: Principal, query: Filter): EntryFilter {
    return {
      resellerId,
      developers,
      search: query.search || undefined,
      period: periodOf(query.dateRange, caller.timeZone, this.#deps.clock),
      chosen: chosenOf(query),
    };
  }

  #described({ timeZone }: Principal, { page, limit }: ListQuery) {
    return { page, page_size: limit, time_zone: timeZone };
  }
}

/** @param total null: it was not counted. @param capped it was counted to the limit at most. */
const totalOf = (page: Page<unknown>, total: number | null, capped: boolean) =>
  total === null ? uncounted(page) : countedTo(total, !capped);

function daysOf({ resellerId, developers }: Seller, { timeZone }: Principal, { from, to }: Period): Days {
  const first = from ? dayOf(from, timeZone) : '0001-01-01';
  const last = to ? dayOf(to, timeZone) : '9999-12-31';
  return {
    resellerId,
    developers,
    from: first,
    to: last,
    timeZone,
    begins: from ?? startOfDay('1970-01-01', timeZone),
    ends: to ?? endOfDay(last, timeZone),
  };
}

/** No sums count what a search or a choice leaves. */
const isNarrow = ({ search, chosen }: EntryFilter) => search !== undefined || !chosen.none;

/** Refuses pages beyond ten thousand results of a search or a choice, which is as far as they are counted. */
function refuseFarPage(filter: EntryFilter, offset: number): void {
  if (isNarrow(filter) && offset >= COUNT_LIMIT)
    throw invalidField('page', `Use \`cursor\` after the first ${COUNT_LIMIT} rows of a search.`);
}

function placeOf(cursor: string | undefined): Place | null {
  const [at, id] = decodeCursor(cursor, [isMoment, isId]) ?? [];
  return at === undefined || id === undefined ? null : { at, id };
}
