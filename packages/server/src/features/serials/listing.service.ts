import type { Readable } from 'node:stream';
import type { Principal } from '../../platform/access/access.ts';
import { keyedByName } from '../../platform/by-name.ts';
import type { Clock } from '../../platform/clock.ts';
import { dayOf, endOfDay, isDay, type Period, periodOf, startOfDay } from '../../platform/days.ts';
import type { Database, Sql } from '../../platform/db/database.ts';
import { dryRunnable } from '../../platform/db/dry-run.ts';
import { uuidV7 } from '../../platform/db/uuid-v7.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { decodeIdCursor, pageOf } from '../../platform/http/cursor.ts';
import { toDollars } from '../../platform/money.ts';
import type { Random } from '../../platform/random.ts';
import type { Exports } from '../../platform/spool/exports.ts';
import type { RowStanding } from '../customers/index.ts';
import { chargeRefreshes } from '../plans/index.ts';
import { recordWebhook } from '../webhooks/index.ts';
import { UNUSED } from './availability-rules.ts';
import { findBatchView, listBatches } from './batches.queries.ts';
import { changeSerials, resetDownloads, tellRefreshed } from './change.ts';
import {
  availableGroups,
  batchesOfGroup,
  countOpen,
  countUnused,
  deleteOpen,
  type GroupRef,
} from './groups.queries.ts';
import {
  REDEEMED_PAGE_SIZE,
  type RedeemedFilter,
  redeemedChoiceCounts,
  redeemedExport,
  redeemedPage,
  redeemedSerials,
} from './redeemed.queries.ts';
import { choiceConditions, type RedeemedChoices, type RedeemedKind, type RedeemedSort } from './redeemed-filter.ts';
import { listSerials } from './serials.queries.ts';
import type { AvailableSerials } from './serials.schemas.ts';
import { type StreamFormat, serialsExport } from './serials-export.ts';
import type { Standings } from './standing/standing.queries.ts';

interface Dependencies {
  db: Database;
  clock: Clock;
  random: Random;
  exports: Exports;
  standings: Standings;
}

interface RangeQuery {
  search?: string | undefined;
  dateRange: string;
}

type RedeemedQuery = RangeQuery & RedeemedChoices;

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
      groups: groups.map(({ serials: _, batch_ids: __, total: ___, n: count, ...group }) => ({ ...group, count })),
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
    return exports.open(caller.userId, await redeemedExport(db, this.#filter(caller, query)), signal);
  }

  /** What the list can be filtered by, with counts. */
  redeemedChoices(caller: Principal, query: RedeemedQuery) {
    const without = (kind: RedeemedKind) => this.#filter(caller, { ...query, [kind]: undefined });
    return redeemedChoiceCounts(this.#deps.db, {
      product: without('product'),
      reseller: without('reseller'),
      batch: without('batch'),
      country: without('country'),
      status: without('status'),
    });
  }

  /** Changes all that fit a filter, in one transaction. @throws {AppError} domain_rule when they are too many. */
  async changeRedeemed(
    caller: Principal,
    form: { action: 'revoke' | 'reassign' | 'reset_downloads'; filter: RedeemedQuery; dry_run: boolean },
  ) {
    const { db, clock, random } = this.#deps;
    const developerId = caller.userId;
    let done = { count: 0, skipped: 0, cost: 0 };
    const run = () =>
      dryRunnable(form.dry_run, (end) =>
        db.transaction(async (tx) => {
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
            count = await changeSerials(tx, { developerId, action: form.action, ids, now });
          }
          done = { count, skipped: ids.length - count, cost: toDollars(cost) };
          end();
        }),
      );
    await db.bulk(developerId, run);
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
      search,
      searchDay: day,
      period,
      days: { from: dayIn(period.from), to: dayIn(period.to) },
      chosen: choiceConditions(query),
    };
  }

  /** All of a group, page by page. */
  async group(caller: Principal, ref: GroupRef, query: { limit: number; cursor?: string | undefined }) {
    const batches = await this.#batchesOf(caller, ref);
    const filter = this.#openIn(caller, batches);
    const rows = await listSerials(this.#deps.db, filter, decodeIdCursor(query.cursor), query.limit + 1);
    return { ...pageOf(rows, query.limit), total: await countOpen(this.#deps.db, caller.userId, batches) };
  }

  async groupStream(caller: Principal, ref: GroupRef, format: StreamFormat, signal: AbortSignal) {
    const batches = await this.#batchesOf(caller, ref);
    return this.#deps.exports.open(caller.userId, serialsExport(this.#openIn(caller, batches), format), signal);
  }

  /**
   * Deletes what a group still has; serials that were handed out, redeemed or revoked stay.
   * @throws {AppError} ambiguous_group when several groups share the name; not_found.
   */
  async deleteGroup(caller: Principal, ref: GroupRef, dryRun: boolean) {
    const { db } = this.#deps;
    const batches = await this.#batchesOf(caller, ref);
    if (dryRun) return countOpen(db, caller.userId, batches);
    return db.bulk(caller.userId, () => db.transaction((tx) => deleteOpen(tx, caller.userId, batches)));
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
    query: {
      product_id?: string | undefined;
      search?: string | undefined;
      limit: number;
      cursor?: string | undefined;
    },
  ) {
    const filter = { developerId: caller.userId, productId: query.product_id, search: query.search || undefined };
    const after = decodeIdCursor(query.cursor);
    const { rows, total } = await listBatches(this.#deps.db, filter, after, query.limit + 1);
    return { ...pageOf(rows, query.limit), total };
  }

  async batch(caller: Principal, id: string) {
    const batch = await findBatchView(this.#deps.db, caller.userId, id);
    if (!batch) throw notFound('Batch');
    return batch;
  }

  /** Revokes only those serials of a batch that have not been redeemed, also those that were handed out. */
  async revokeBatch(caller: Principal, id: string, dryRun: boolean): Promise<number> {
    const { db, clock } = this.#deps;
    const { product_id } = await this.batch(caller, id);
    if (dryRun) return countUnused(db, caller.userId, id);
    const revoke = async (tx: Sql) => {
      const now = clock.now();
      const [row] = await tx.query<{ n: number }>(
        `with changed as (
           update serials s set revoked_at = $3
           where s.developer_id = $1 and s.batch_id = $2 and ${UNUSED} returning s.id
         ), noted as (
           insert into serial_events (developer_id, id, serial_id, kind, happened_at)
           select $1, ${uuidV7('$3')}, id, 'revoked', $3 from changed
         )
         select count(*)::int as n from changed`,
        [caller.userId, id, now],
      );
      const quantity = row?.n ?? 0;
      if (quantity > 0) {
        const data = { batch_id: id, product_id, quantity };
        await recordWebhook(tx, caller.userId, { type: 'batch.revoked', at: now, data });
      }
      return quantity;
    };
    return db.bulk(caller.userId, () => db.transaction(revoke));
  }
}

function ambiguous(name: string, batches: { kind: string }[], products: string[]): AppError {
  const kinds = new Set(batches.map((batch) => batch.kind));
  return new AppError(
    'ambiguous_group',
    kinds.size === products.length
      ? `"${name}" is both a product and a promotion. Specify kind=regular or kind=promo.`
      : `"${name}" matches groups of ${products.length} products: ${products.map((each) => `"${each}"`).join(', ')}. Specify product_id.`,
  );
}
