import type { Readable } from 'node:stream';
import { recordAudit } from '#features/audit';
import type { RowStanding } from '#features/customers';
import { chargeRefreshes } from '#features/plans';
import type { Principal } from '#platform/access/access.ts';
import { assertMayRead, mayRead } from '#platform/access/kinds.ts';
import type { Sql } from '#platform/db/database.ts';
import { dryRunnable } from '#platform/db/dry-run.ts';
import { byKind, countedTogether } from '#platform/db/statements/choices.ts';
import { decodeCursor, isMoment, isText, pageOf, uncounted } from '#platform/http/answers/cursor.ts';
import { isId } from '#platform/ids.ts';
import { toDollars } from '#platform/money.ts';
import type { Random } from '#platform/random.ts';
import type { Exports } from '#platform/spool/exports.ts';
import { dayOf, endOfDay, isDay, type Period, periodOf, startOfDay } from '#platform/time/days.ts';
import { notifyRefreshed, resetDownloads } from '../change/reset-downloads.ts';
import { changeSerials } from '../change/revoke.ts';
import { undoable } from '../change/undo.ts';
import type { Standings } from '../standing/standing.queries.ts';
import type { LowStockDependencies } from '../stock/low-stock.ts';
import type { SerialsDb } from '../tables.ts';
import { type RedeemedFilter, type RedeemedPlace, redeemedPage, redeemedSerials } from './redeemed.queries.ts';
import { redeemedChoiceCounts } from './redeemed-choices.queries.ts';
import { redeemedExport } from './redeemed-export.ts';
import {
  choiceConditions,
  type RedeemedChoices,
  type RedeemedColumns,
  type RedeemedSort,
  redeemedKinds,
} from './redeemed-filter.ts';

interface Dependencies extends LowStockDependencies {
  db: SerialsDb;
  random: Random;
  exports: Exports;
  standings: Standings;
}

interface RedeemedQuery extends RedeemedChoices {
  search?: string | undefined;
  dateRange: string;
}

interface ListQuery extends RedeemedQuery {
  sort: RedeemedSort;
  page: number;
  limit: number;
  cursor?: string | undefined;
  count: boolean;
}

/** A cursor leads on in the order that it came from. @throws {AppError} invalid_request */
function placeOf({ cursor, sort }: ListQuery): RedeemedPlace | null {
  const total = (text: string) => /^-?\d{1,9}$/.test(text);
  const isKey = sort.endsWith('redeemed_at') ? isMoment : sort.endsWith('total') ? total : isText;
  const parts = decodeCursor(cursor, [(from) => from === sort, isKey, isMoment, isId]);
  if (!parts) return null;
  const [, key, at, id] = parts;
  return { key, at: new Date(at), id };
}

/** Redeemed serials with their customers. */
export class RedeemedSerials {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async list(caller: Principal, query: ListQuery) {
    const { db, standings } = this.#deps;
    const { sort, page, limit, count } = query;
    if (sort.endsWith('customer')) assertMayRead(caller, 'people');
    const after = placeOf(query);
    const offset = after ? 0 : (page - 1) * limit;
    const wanted = { sort, after, offset, limit: limit + 1, count };
    const { rows: found, counted } = await redeemedPage(db, this.#filter(caller, query), wanted);
    const shown = pageOf(found, limit, (last) => [
      sort,
      sort.endsWith('redeemed_at') ? last.placed_at.toISOString() : last.sort_key,
      last.placed_at.toISOString(),
      last.redemption_id,
    ]);
    const standing = await standings.ofSerials(
      db,
      caller,
      shown.rows.map((row) => row.id),
    );
    return {
      rows: shown.rows.map(({ redemption_id: _, placed_at: __, sort_key: ___, ...row }) => ({
        ...row,
        standing: standing.get(row.id) as RowStanding,
      })),
      next_cursor: shown.next_cursor,
      ...(counted ?? uncounted(shown)),
      page,
      page_size: limit,
      time_zone: caller.timeZone,
    };
  }

  async csv(
    caller: Principal,
    query: RedeemedQuery & { columns: RedeemedColumns },
    signal: AbortSignal,
  ): Promise<Readable> {
    const { db, exports } = this.#deps;
    await this.#audit(db, caller, 'serials_exported', 'redeemed');
    return exports.open(
      caller.accountId,
      await redeemedExport(db, this.#filter(caller, query), { columns: query.columns, timeZone: caller.timeZone }),
      signal,
    );
  }

  /** The choices of the list's filters, with counts. */
  async choices(caller: Principal, query: RedeemedQuery) {
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
  async change(
    caller: Principal,
    form: { action: 'revoke' | 'reassign' | 'reset_downloads'; filter: RedeemedQuery; dry_run: boolean },
  ) {
    const { db, clock, random } = this.#deps;
    const developerId = caller.accountId;
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
            await notifyRefreshed(tx, { developerId, ids: reset, now }, cost / count);
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
      developerId: caller.accountId,
      people: mayRead(caller, 'people'),
      search,
      searchDay: day,
      period,
      days: { from: dayIn(period.from), to: dayIn(period.to) },
      chosen: choiceConditions(caller.accountId, query),
    };
  }

  #audit(
    handle: Sql,
    caller: Principal,
    action: 'serials_exported' | 'serials_changed',
    detail: string,
  ): Promise<void> {
    return recordAudit(handle, caller.accountId, { action, at: this.#deps.clock.now(), detail });
  }
}
