import { recordAudit } from '#features/audit';
import type { Principal } from '#platform/access/access.ts';
import type { Sql } from '#platform/db/database.ts';
import { BY_INDEX } from '#platform/db/statements/by-index.ts';
import { byKind, countedTogether } from '#platform/db/statements/choices.ts';
import { AppError, notFound } from '#platform/errors.ts';
import { decodeCursor, isText, pageOf } from '#platform/http/answers/cursor.ts';
import { isId } from '#platform/ids.ts';
import { dayOf, momentOf, periodOf } from '#platform/time/days.ts';
import { changeByBatch } from '../change/by-batch.ts';
import { undoable } from '../change/undo.ts';
import { type BatchChoices, batchConditions, batchKinds } from '../list/serial-filter.ts';
import { type BatchDates, checkDateOrder } from '../rules/batch-dates.ts';
import { type LowStockDependencies, noteLowPools, noteRestock } from '../stock/low-stock.ts';
import type { SerialsDb } from '../tables.ts';
import { funnelOf } from './batch-funnel.ts';
import {
  type BatchFilter,
  batchChoiceCounts,
  countUnused,
  findBatchView,
  listBatches,
  lockDates,
  setDates,
  unusedOf,
} from './batches.queries.ts';
import type { BatchSort, ChangeBatchBody } from './batches.schemas.ts';

interface Dependencies extends LowStockDependencies {
  db: SerialsDb;
}

interface BatchQuery extends BatchChoices {
  search?: string | undefined;
  dateRange: string;
  product_id?: string | undefined;
}

interface ListQuery {
  sort: BatchSort;
  limit: number;
  cursor?: string | undefined;
  count: boolean;
}

const FIELDS = {
  promoStart: 'promo_start',
  promoExpires: 'promo_expires',
  expiresAt: 'expires_at',
} as const satisfies Record<keyof BatchDates, keyof ChangeBatchBody>;

/** The audit log's text: when the serials can be redeemed, before and now. */
function changeOf(before: BatchDates, after: BatchDates, timeZone: string): string {
  const day = (moment: Date | null, none: string) => (moment ? dayOf(moment, timeZone) : none);
  const start = (dates: BatchDates) => day(dates.promoStart, 'at once');
  const end = (dates: BatchDates) => day(dates.expiresAt, 'never');
  const moved = before.promoStart?.getTime() !== after.promoStart?.getTime();
  return `${moved ? `starts ${start(before)}, now ${start(after)}; ` : ''}ends ${end(before)}, now ${end(after)}`;
}

/** The serials that were generated or imported together. */
export class Batches {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async list(caller: Principal, query: BatchQuery & ListQuery) {
    // a cursor leads on in the order that it came from
    const [, key, id] = decodeCursor(query.cursor, [(sort) => sort === query.sort, isText, isId]) ?? [];
    const after = id === undefined || key === undefined ? null : { key, id };
    const filter = this.#filter(caller, query);
    const { rows, total } = await this.#deps.db.work({ tx: true, settings: BY_INDEX }, (sql) =>
      listBatches(sql, filter, query.sort, after, query.limit + 1, query.count),
    );
    const page = pageOf(rows, query.limit, (last) => [query.sort, last.key, last.id]);
    return {
      rows: page.rows.map(({ key: _, ...row }) => row),
      next_cursor: page.next_cursor,
      total: total ?? page.rows.length,
    };
  }

  /** The choices of the filters for batches, with counts. */
  async choices(caller: Principal, query: BatchQuery) {
    const together = countedTogether(batchKinds, query);
    return this.#deps.db.work({ tx: true, settings: BY_INDEX }, async (sql) => {
      const found = [];
      for (const { kinds, query } of together)
        found.push(...(await batchChoiceCounts(sql, kinds, this.#filter(caller, query))));
      return byKind(batchKinds, found);
    });
  }

  #filter(caller: Principal, query: BatchQuery): BatchFilter {
    const now = this.#deps.clock.now();
    const period = periodOf(query.dateRange, caller.timeZone, this.#deps.clock);
    return {
      developerId: caller.accountId,
      productId: query.product_id,
      search: query.search || undefined,
      chosen: batchConditions(query, period, { developerId: caller.accountId, now }),
      now,
    };
  }

  async get(caller: Principal, id: string) {
    const batch = await findBatchView(this.#deps.db, caller.accountId, id);
    if (!batch) throw notFound('Batch');
    return batch;
  }

  /**
   * Changes when a batch begins and ends.
   * @throws {AppError} not_found; dates_out_of_order; domain_rule for a deal that it does not have.
   */
  async change(caller: Principal, id: string, body: ChangeBatchBody) {
    const { db, clock } = this.#deps;
    const momentAt = (path: keyof ChangeBatchBody, now: Date | null) => {
      const given = body[path];
      const edge = path === 'promo_start' ? 'start' : 'end';
      return given === undefined ? now : momentOf(given, edge, caller.timeZone, path);
    };
    await db.work({ tx: true }, async (tx) => {
      const found = await lockDates(tx, caller.accountId, id);
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
      await setDates(tx, caller.accountId, id, dates);
      await noteRestock(tx, caller.accountId, clock.now());
      await this.#audit(tx, caller, 'batch_changed', changeOf(found, dates, caller.timeZone), id);
    });
    return this.get(caller, id);
  }

  async funnel(caller: Principal, id: string) {
    const funnel = await funnelOf(this.#deps.db, caller.accountId, id);
    if (!funnel) throw notFound('Batch');
    return funnel;
  }

  /** Revokes only those serials of a batch that have not been redeemed, also those that were handed out. */
  async revoke(
    caller: Principal,
    id: string,
    dryRun: boolean,
  ): Promise<{ count: number; dry_run: boolean; changed_at?: Date }> {
    const { db, clock } = this.#deps;
    await this.get(caller, id);
    if (dryRun) return { count: await countUnused(db, caller.accountId, id), dry_run: true };
    return db.work({ lane: 'bulk', account: caller.accountId, tx: true }, async (tx) => {
      const now = clock.now();
      const { count, pools } = await changeByBatch(tx, {
        developerId: caller.accountId,
        action: 'revoke',
        now,
        which: unusedOf(id),
      });
      await noteLowPools(this.#deps, tx, caller.accountId, pools);
      if (count > 0) await this.#audit(tx, caller, 'batch_revoked', String(count), id);
      return { count, dry_run: false, ...undoable('revoke', now, count, false) };
    });
  }

  #audit(
    handle: Sql,
    caller: Principal,
    action: 'batch_changed' | 'batch_revoked',
    detail: string,
    objectId: string,
  ): Promise<void> {
    return recordAudit(handle, caller.accountId, { action, at: this.#deps.clock.now(), detail, objectId });
  }
}
