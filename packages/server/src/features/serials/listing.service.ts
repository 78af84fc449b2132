import type { Readable } from 'node:stream';
import { sql } from 'kysely';
import { recordAudit } from '#features/audit';
import type { RowStanding } from '#features/customers';
import { chargeRefreshes } from '#features/plans';
import type { Principal } from '#platform/access/access.ts';
import { assertMayRead, mayRead } from '#platform/access/kinds.ts';
import type { Sql } from '#platform/db/database.ts';
import { dryRunnable } from '#platform/db/dry-run.ts';
import { BY_INDEX } from '#platform/db/statements/by-index.ts';
import { byKind, countedTogether } from '#platform/db/statements/choices.ts';
import { AppError, invalidField, notFound } from '#platform/errors.ts';
import { decodeCursor, decodeIdCursor, pageOf } from '#platform/http/answers/cursor.ts';
import { isId } from '#platform/ids.ts';
import { keyedByName } from '#platform/keyed-by-name.ts';
import { toDollars } from '#platform/money.ts';
import type { Random } from '#platform/random.ts';
import type { Exports } from '#platform/spool/exports.ts';
import { dayOf, endOfDay, isDay, momentOf, type Period, periodOf, startOfDay } from '#platform/time/days.ts';
import { funnelOf } from './batches/batch-funnel.ts';
import {
  type BatchFilter,
  batchChoiceCounts,
  countUnused,
  findBatchView,
  listBatches,
  lockDates,
  setDates,
} from './batches/batches.queries.ts';
import type { BatchSort, ChangeBatchBody } from './batches/batches.schemas.ts';
import { changeByBatch } from './change/by-batch.ts';
import { resetDownloads, tellRefreshed } from './change/reset-downloads.ts';
import { changeSerials } from './change/revoke.ts';
import { undoable } from './change/undo.ts';
import { availableGroups, batchesOfGroup, countOpen, deleteOpen, type GroupRef } from './groups/groups.queries.ts';
import { type BatchChoices, batchConditions, batchKinds } from './list/serial-filter.ts';
import { countSerials, listSerials } from './list/serial-list.queries.ts';
import { type StreamFormat, serialsExport } from './list/serials-export.ts';
import {
  REDEEMED_PAGE_SIZE,
  type RedeemedFilter,
  redeemedExport,
  redeemedPage,
  redeemedSerials,
} from './redeemed/redeemed.queries.ts';
import { redeemedChoiceCounts } from './redeemed/redeemed-choices.queries.ts';
import {
  choiceConditions,
  type RedeemedChoices,
  type RedeemedSort,
  redeemedKinds,
} from './redeemed/redeemed-filter.ts';
import { type BatchDates, checkDateOrder } from './rules/batch-dates.ts';
import { UNUSED } from './rules/rows.ts';
import type { AvailableSerials } from './serials.schemas.ts';
import type { Standings } from './standing/standing.queries.ts';
import { type LowStockDependencies, noteLowPools, noteRestock, poolsOf } from './stock/low-stock.ts';
import type { SerialsDb } from './tables.ts';

interface Dependencies extends LowStockDependencies {
  db: SerialsDb;
  random: Random;
  exports: Exports;
  standings: Standings;
}

interface RangeQuery {
  search?: string | undefined;
  dateRange: string;
}

type RedeemedQuery = RangeQuery & RedeemedChoices;
type BatchQuery = RangeQuery & BatchChoices & { product_id?: string | undefined };
type ListAction = 'serials_exported' | 'serials_changed' | 'serials_deleted' | 'batch_changed' | 'batch_revoked';

const FIELDS = {
  promoStart: 'promo_start',
  promoExpires: 'promo_expires',
  expiresAt: 'expires_at',
} as const satisfies Record<keyof BatchDates, keyof ChangeBatchBody>;

/** For the audit log: when the serials can be redeemed, before and now. */
function changeOf(before: BatchDates, after: BatchDates, timeZone: string): string {
  const day = (moment: Date | null, none: string) => (moment ? dayOf(moment, timeZone) : none);
  const start = (dates: BatchDates) => day(dates.promoStart, 'at once');
  const end = (dates: BatchDates) => day(dates.expiresAt, 'never');
  const moved = before.promoStart?.getTime() !== after.promoStart?.getTime();
  return `${moved ? `starts ${start(before)}, now ${start(after)}; ` : ''}ends ${end(before)}, now ${end(after)}`;
}

/** Serials as the dashboard shows them: what is redeemed, what is left in groups, and the batches behind them. */
export class SerialLists {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async available(caller: Principal, query: RangeQuery): Promise<AvailableSerials> {
    const { db, clock } = this.#deps;
    const groups = await availableGroups(db, {
      developerId: caller.userId,
      search: query.search || undefined,
      period: periodOf(query.dateRange, caller.timeZone, clock),
      now: clock.now(),
    });
    const answer: AvailableSerials = {
      regular: keyedByName(),
      promos: keyedByName(),
      counts: { regular: keyedByName(), promos: keyedByName() },
      groups: groups.map(({ serials: _, total: __, n: count, ...group }) => ({ ...group, count })),
      total: groups[0]?.total ?? 0,
    };
    for (const { name, kind, n, serials } of groups) {
      if (kind === 'promo') {
        answer.promos[name] ??= { serials: [] };
        answer.promos[name].serials.push(...serials);
        answer.counts.promos[name] = (answer.counts.promos[name] ?? 0) + n;
      } else {
        answer.regular[name] = serials;
        answer.counts.regular[name] = n;
      }
    }
    return answer;
  }

  async redeemed(caller: Principal, query: RedeemedQuery & { page: number; sort: RedeemedSort }) {
    const { db, standings } = this.#deps;
    if (query.sort.endsWith('customer')) assertMayRead(caller, 'people');
    const { rows: found, ...counted } = await redeemedPage(db, this.#filter(caller, query), query.page, query.sort);
    const standing = await standings.ofSerials(
      db,
      caller,
      found.map((row) => row.id),
    );
    const rows = found.map((row) => ({ ...row, standing: standing.get(row.id) as RowStanding }));
    return { rows, ...counted, page: query.page, page_size: REDEEMED_PAGE_SIZE, time_zone: caller.timeZone };
  }

  async redeemedCsv(caller: Principal, query: RedeemedQuery, signal: AbortSignal): Promise<Readable> {
    const { db, exports } = this.#deps;
    await this.#audit(db, caller, 'serials_exported', 'redeemed');
    return exports.open(caller.userId, await redeemedExport(db, this.#filter(caller, query), caller.timeZone), signal);
  }

  /** What the list can be filtered by, with counts. */
  async redeemedChoices(caller: Principal, query: RedeemedQuery) {
    const found = [];
    for (const { kinds, query: each } of countedTogether(redeemedKinds, query))
      found.push(
        ...(await redeemedChoiceCounts(
          this.#deps.db,
          kinds,
          each,
          this.#filter(caller, { ...each, status: undefined }),
        )),
      );
    return byKind(redeemedKinds, found);
  }

  /** Changes all that fit a filter, in one transaction. @throws {AppError} domain_rule when they are too many. */
  async changeRedeemed(
    caller: Principal,
    form: { action: 'revoke' | 'reassign' | 'reset_downloads'; filter: RedeemedQuery; dry_run: boolean },
  ) {
    const { db, clock, random } = this.#deps;
    const developerId = caller.userId;
    let done: { count: number; skipped: number; cost: number; changed_at?: Date } = { count: 0, skipped: 0, cost: 0 };
    await dryRunnable(form.dry_run, (end) =>
      db.work({ lane: 'bulk', account: developerId, tx: true }, async (tx) => {
        const ids = await redeemedSerials(tx, this.#filter(caller, form.filter));
        const now = clock.now();
        let cost = 0;
        let count = 0;
        if (form.action === 'reset_downloads') {
          const reset = await resetDownloads(tx, { developerId, ids, now });
          count = reset.length;
          const charges = reset.map((serialId) => ({ id: random.id(), serialId }));
          if (count > 0) {
            cost = await chargeRefreshes(tx, clock, { developerId, charges });
            await tellRefreshed(tx, { developerId, ids: reset, now }, cost / count);
          }
        } else {
          count = await changeSerials(this.#deps, tx, { developerId, action: form.action, ids, now });
        }
        if (count > 0) await this.#audit(tx, caller, 'serials_changed', `${form.action}: ${count}`);
        done = {
          count,
          skipped: ids.length - count,
          cost: toDollars(cost),
          ...undoable(form.action, now, count, form.dry_run),
        };
        end();
      }),
    );
    return { ...done, dry_run: form.dry_run };
  }

  #filter(caller: Principal, query: RedeemedQuery): RedeemedFilter {
    const { timeZone } = caller;
    const search = query.search || undefined;
    const period = periodOf(query.dateRange, timeZone, this.#deps.clock);
    const day: Period | null =
      search && isDay(search) ? { from: startOfDay(search, timeZone), to: endOfDay(search, timeZone) } : null;
    const dayIn = (moment: Date | null) => moment && dayOf(moment, timeZone);
    return {
      developerId: caller.userId,
      people: mayRead(caller, 'people'),
      search,
      searchDay: day,
      period,
      days: { from: dayIn(period.from), to: dayIn(period.to) },
      chosen: choiceConditions(caller.userId, query),
    };
  }

  /** All of a group, page by page. */
  async group(caller: Principal, ref: GroupRef, query: { limit: number; cursor?: string | undefined }) {
    const batches = await this.#batchesOf(caller, ref);
    const filter = this.#openIn(caller, batches);
    const after = decodeIdCursor(query.cursor);
    return this.#deps.db.work({ tx: true, settings: BY_INDEX }, async (sql) => {
      const rows = await listSerials(sql, filter, after, query.limit + 1);
      return { ...pageOf(rows, query.limit), ...(await countSerials(sql, filter)) };
    });
  }

  async groupStream(caller: Principal, ref: GroupRef, format: StreamFormat, signal: AbortSignal) {
    const batches = await this.#batchesOf(caller, ref);
    await this.#audit(this.#deps.db, caller, 'serials_exported', `group ${ref.name}`);
    return this.#deps.exports.open(
      caller.userId,
      serialsExport(this.#openIn(caller, batches), format, caller.timeZone),
      signal,
    );
  }

  /**
   * Deletes what a group still has; serials that were handed out, redeemed or revoked stay.
   * @throws {AppError} ambiguous_group when several groups share the name; not_found.
   */
  async deleteGroup(caller: Principal, ref: GroupRef, dryRun: boolean) {
    const { db } = this.#deps;
    const batches = await this.#batchesOf(caller, ref);
    if (dryRun) return countOpen(db, caller.userId, batches);
    return db.work({ lane: 'bulk', account: caller.userId, tx: true }, async (tx) => {
      const pools = await poolsOf(tx, caller.userId, batches);
      const count = await deleteOpen(tx, caller.userId, batches);
      await noteLowPools(this.#deps, tx, caller.userId, pools);
      await this.#audit(tx, caller, 'serials_deleted', `${count} of group ${ref.name}`);
      return count;
    });
  }

  #audit(sql: Sql, caller: Principal, action: ListAction, detail: string, objectId?: string): Promise<void> {
    return recordAudit(sql, caller.userId, { action, at: this.#deps.clock.now(), detail, objectId: objectId ?? null });
  }

  async #batchesOf(caller: Principal, { name, kind, product_id }: GroupRef): Promise<string[]> {
    const group = { developerId: caller.userId, name, kind, product_id, now: this.#deps.clock.now() };
    const batches = await batchesOfGroup(this.#deps.db, group);
    if (batches.length === 0) throw notFound('Group');
    const products = new Map(batches.map((batch) => [batch.product_id, batch.product_name]));
    if (products.size > 1) throw ambiguous(name, batches, [...products.values()]);
    return batches.map((batch) => batch.id);
  }

  #openIn(caller: Principal, batchIds: string[]) {
    return {
      developerId: caller.userId,
      state: 'available' as const,
      productId: undefined,
      batchIds,
      search: undefined,
      now: this.#deps.clock.now(),
    };
  }

  async batches(
    caller: Principal,
    query: BatchQuery & { sort: BatchSort; limit: number; cursor?: string | undefined },
  ) {
    const [sort, key, id] = decodeCursor(query.cursor, 3) ?? [];
    // a cursor leads on in the order that it came from
    const after = id === undefined || key === undefined ? null : { key, id };
    if (after && (sort !== query.sort || !isId(after.id))) throw invalidField('cursor', 'The cursor is not valid.');
    const filter = this.#batchFilter(caller, query);
    const { rows, total } = await this.#deps.db.work({ tx: true, settings: BY_INDEX }, (sql) =>
      listBatches(sql, filter, query.sort, after, query.limit + 1),
    );
    const page = pageOf(rows, query.limit, (last) => [query.sort, last.key, last.id]);
    return { rows: page.rows.map(({ key: _, ...row }) => row), next_cursor: page.next_cursor, total };
  }

  /** What batches can be filtered by, with counts. */
  async batchChoices(caller: Principal, query: BatchQuery) {
    const together = countedTogether(batchKinds, query);
    return this.#deps.db.work({ tx: true, settings: BY_INDEX }, async (sql) => {
      const found = [];
      for (const { kinds, query } of together)
        found.push(...(await batchChoiceCounts(sql, kinds, this.#batchFilter(caller, query))));
      return byKind(batchKinds, found);
    });
  }

  #batchFilter(caller: Principal, query: BatchQuery): BatchFilter {
    const now = this.#deps.clock.now();
    const period = periodOf(query.dateRange, caller.timeZone, this.#deps.clock);
    return {
      developerId: caller.userId,
      productId: query.product_id,
      search: query.search || undefined,
      chosen: batchConditions(query, period, { developerId: caller.userId, now }),
      now,
    };
  }

  async batch(caller: Principal, id: string) {
    const batch = await findBatchView(this.#deps.db, caller.userId, id);
    if (!batch) throw notFound('Batch');
    return batch;
  }

  /**
   * Changes when a batch begins and ends.
   * @throws {AppError} not_found; dates_out_of_order; domain_rule for a deal that it does not have.
   */
  async changeBatch(caller: Principal, id: string, body: ChangeBatchBody) {
    const { db, clock } = this.#deps;
    const momentAt = (path: keyof ChangeBatchBody, now: Date | null) => {
      const given = body[path];
      const edge = path === 'promo_start' ? 'start' : 'end';
      return given === undefined ? now : momentOf(given, edge, caller.timeZone, path);
    };
    await db.work({ tx: true }, async (tx) => {
      const found = await lockDates(tx, caller.userId, id);
      if (!found) throw notFound('Batch');
      // imported serials may have a first day without a deal
      const starts = body.promo_start && found.promoStart === null;
      if ((starts || body.promo_expires) && !found.deal) throw new AppError('domain_rule', 'The batch has no promo.');
      const dates = {
        promoStart: momentAt('promo_start', found.promoStart),
        promoExpires: momentAt('promo_expires', found.promoExpires),
        expiresAt: momentAt('expires_at', found.expiresAt),
      };
      const kept = (Object.keys(FIELDS) as (keyof BatchDates)[]).filter((date) => body[FIELDS[date]] === undefined);
      checkDateOrder(dates, clock.now(), kept);
      await setDates(tx, caller.userId, id, dates);
      await noteRestock(tx, caller.userId, clock.now());
      await this.#audit(tx, caller, 'batch_changed', changeOf(found, dates, caller.timeZone), id);
    });
    return this.batch(caller, id);
  }

  async batchFunnel(caller: Principal, id: string) {
    const funnel = await funnelOf(this.#deps.db, caller.userId, id);
    if (!funnel) throw notFound('Batch');
    return funnel;
  }

  /** Revokes only those serials of a batch that have not been redeemed, also those that were handed out. */
  async revokeBatch(
    caller: Principal,
    id: string,
    dryRun: boolean,
  ): Promise<{ count: number; dry_run: boolean; changed_at?: Date }> {
    const { db, clock } = this.#deps;
    await this.batch(caller, id);
    if (dryRun) return { count: await countUnused(db, caller.userId, id), dry_run: true };
    return db.work({ lane: 'bulk', account: caller.userId, tx: true }, async (tx) => {
      const now = clock.now();
      const which = sql<boolean>`s.batch_id = ${id} and ${UNUSED}`;
      const { count, pools } = await changeByBatch(tx, { developerId: caller.userId, action: 'revoke', now, which });
      await noteLowPools(this.#deps, tx, caller.userId, pools);
      if (count > 0) await this.#audit(tx, caller, 'batch_revoked', String(count), id);
      return { count, dry_run: false, ...undoable('revoke', now, count, false) };
    });
  }
}

function ambiguous(name: string, batches: { kind: string }[], products: string[]): AppError {
  const kinds = new Set(batches.map((batch) => batch.kind));
  return new AppError(
    'ambiguous_group',
    kinds.size === products.length
      ? `"${name}" is both a product and a promo. Specify kind=regular or kind=promo.`
      : `"${name}" matches groups of ${products.length} products: ${products.map((each) => `"${each}"`).join(', ')}. Specify product_id.`,
  );
}
