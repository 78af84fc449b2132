import { Readable } from 'node:stream';
import type { Principal } from '../../platform/access/access.ts';
import type { Clock } from '../../platform/clock.ts';
import { csvLine } from '../../platform/csv.ts';
import { endOfDay, isDay, periodOf, startOfDay } from '../../platform/days.ts';
import type { Database, Sql } from '../../platform/db/database.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { decodeIdCursor, encodeCursor } from '../../platform/http/cursor.ts';
import type { Random } from '../../platform/random.ts';
import type { Partnerships } from '../partnerships/index.ts';
import type { ProductSerials } from '../products/index.ts';
import { SERIAL_COLUMNS, streamBatch } from './batch-stream.ts';
import { generateBatch, type MadeBatch } from './generate.ts';
import * as q from './serials.queries.ts';
import { type AvailableSerials, type GenerateBody, MAX_JSON_QUANTITY, type SerialView } from './serials.schemas.ts';

interface Dependencies {
  db: Database;
  clock: Clock;
  random: Random;
  partnerships: Partnerships;
}

export type StreamFormat = 'csv' | 'ndjson';

interface ListQuery {
  state?: 'available' | 'redeemed' | 'revoked' | undefined;
  product_id?: string | undefined;
  batch_id?: string | undefined;
  search?: string | undefined;
}

const EXPORT_PAGE = 5000;

/** Serials: made, listed, revoked and given back. */
export class Serials implements ProductSerials {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Makes a batch, or finds the one that the same request made before. */
  async generate(caller: Principal, batchId: string, form: GenerateBody, signal: AbortSignal): Promise<MadeBatch> {
    return generateBatch(this.#deps, {
      developerId: caller.userId,
      timeZone: caller.timeZone,
      batchId,
      form,
      signal,
    });
  }

  /** A small batch whole. */
  async batchSerials(batch: MadeBatch) {
    if (batch.quantity > MAX_JSON_QUANTITY) throw new AppError('not_acceptable');
    const { id: _, quantity: __, product_name: ___, ...shared } = batch;
    const rows = await q.serialsOfBatch(this.#deps.db, batch.id);
    return { batch_id: batch.id, count: rows.length, serials: rows.map((row) => ({ ...row, ...shared })) };
  }

  batchStream(batch: MadeBatch, format: StreamFormat): Readable {
    return streamBatch(this.#deps.db, batch, format);
  }

  async list(caller: Principal, query: ListQuery & { cursor?: string | undefined; limit: number }) {
    const filter = this.#filter(caller, query);
    const [rows, total] = await Promise.all([
      q.listSerials(this.#deps.db, filter, decodeIdCursor(query.cursor), query.limit + 1),
      q.countSerials(this.#deps.db, filter),
    ]);
    const page = rows.slice(0, query.limit);
    const last = page.at(-1);
    return { rows: page, total, next_cursor: rows.length > query.limit && last ? encodeCursor(last.id) : null };
  }

  /** All serials that fit, read in pages, so that memory does not grow with their number. */
  export(caller: Principal, query: ListQuery, format: StreamFormat): Readable {
    const filter = this.#filter(caller, query);
    const { db } = this.#deps;
    async function* lines() {
      if (format === 'csv') yield csvLine(SERIAL_COLUMNS);
      let after: string | null = null;
      for (;;) {
        const rows: SerialView[] = await q.listSerials(db, filter, after, EXPORT_PAGE);
        if (rows.length > 0) yield rows.map(format === 'csv' ? csvOf : jsonOf).join('');
        after = rows.at(-1)?.id ?? null;
        if (rows.length < EXPORT_PAGE) return;
      }
    }
    return Readable.from(lines());
  }

  #filter(caller: Principal, query: ListQuery): q.SerialFilter {
    return {
      developerId: caller.userId,
      state: query.state,
      productId: query.product_id,
      batchId: query.batch_id,
      search: query.search || undefined,
      now: this.#deps.clock.now(),
    };
  }

  async available(
    caller: Principal,
    query: { search?: string | undefined; dateRange: string },
  ): Promise<AvailableSerials> {
    const { db, clock } = this.#deps;
    const groups = await q.availableGroups(db, {
      developerId: caller.userId,
      search: query.search || undefined,
      period: periodOf(query.dateRange, caller.timeZone, clock),
      now: clock.now(),
    });
    const answer: AvailableSerials = { regular: {}, promos: {}, counts: { regular: {}, promos: {} }, total: 0 };
    for (const group of groups) {
      answer.total += group.n;
      if (group.promo) {
        const name = `${group.product_name} · ${group.tag ?? 'Promo'}`;
        answer.promos[name] = { serials: group.serials };
        answer.counts.promos[name] = group.n;
      } else {
        answer.regular[group.product_name] = group.serials;
        answer.counts.regular[group.product_name] = group.n;
      }
    }
    return answer;
  }

  async redeemed(caller: Principal, query: { page: number; search?: string | undefined; dateRange: string }) {
    const { db, clock } = this.#deps;
    const search = query.search || undefined;
    const { rows, total } = await q.redeemedPage(db, {
      developerId: caller.userId,
      search,
      searchDay:
        search && isDay(search)
          ? { from: startOfDay(search, caller.timeZone), to: endOfDay(search, caller.timeZone) }
          : null,
      period: periodOf(query.dateRange, caller.timeZone, clock),
      page: query.page,
    });
    return { rows, total, page: query.page, page_size: q.REDEEMED_PAGE_SIZE };
  }

  /** From now on it fails redemption, downloads and licensing. Revoking twice is revoking once. */
  async revoke(caller: Principal, id: string): Promise<SerialView> {
    return this.#setRevoked(caller, id, 'coalesce(s.revoked_at, $3)');
  }

  /** Takes a revocation back. */
  async reassign(caller: Principal, id: string): Promise<SerialView> {
    return this.#setRevoked(caller, id, 'case when $3::timestamptz is null then s.revoked_at end');
  }

  async #setRevoked(caller: Principal, id: string, value: string): Promise<SerialView> {
    const { db, clock } = this.#deps;
    return db.transaction(async (tx) => {
      const changed = await tx.query(
        `update serials s set revoked_at = ${value} from batches b join products p on p.id = b.product_id
         where s.id = $1 and s.developer_id = $2 and b.id = s.batch_id and p.deleted_at is null returning s.id`,
        [id, caller.userId, clock.now()],
      );
      const serial = changed.length > 0 ? await q.findSerial(tx, caller.userId, id) : undefined;
      if (!serial) throw notFound('Serial');
      return serial;
    });
  }

  async countRedeemed(sql: Sql, productId: string): Promise<number> {
    const [row] = await sql.query<{ n: number }>('select count(*) as n from redemptions where product_id = $1', [
      productId,
    ]);
    return row?.n ?? 0;
  }

  async deleteAll(sql: Sql, productId: string): Promise<number> {
    const [row] = await sql.query<{ n: number }>(
      `with gone as (delete from serials s using batches b where b.id = s.batch_id and b.product_id = $1 returning 1)
       select count(*) as n from gone`,
      [productId],
    );
    await sql.query('delete from batches where product_id = $1', [productId]);
    return row?.n ?? 0;
  }

  async retire(sql: Sql, productId: string, now: Date): Promise<{ deleted: number; revoked: number }> {
    const [gone] = await sql.query<{ n: number }>(
      `with gone as (delete from serials s using batches b where b.id = s.batch_id and b.product_id = $1
         and s.redeemed_at is null returning 1) select count(*) as n from gone`,
      [productId],
    );
    const [shut] = await sql.query<{ n: number }>(
      `with shut as (update serials s set revoked_at = $2 from batches b where b.id = s.batch_id and b.product_id = $1
         and s.revoked_at is null returning 1) select count(*) as n from shut`,
      [productId, now],
    );
    await sql.query(
      'delete from batches b where b.product_id = $1 and not exists (select 1 from serials s where s.batch_id = b.id)',
      [productId],
    );
    return { deleted: gone?.n ?? 0, revoked: shut?.n ?? 0 };
  }
}

function csvOf(serial: SerialView): string {
  return csvLine([
    serial.code,
    serial.product_name,
    serial.promo_price,
    serial.promo_expires?.toISOString(),
    serial.promo_start?.toISOString(),
    serial.expires_at?.toISOString(),
    serial.batch_tag,
    serial.notes,
  ]);
}

function jsonOf(serial: SerialView): string {
  return `${JSON.stringify(serial)}\n`;
}
