import type { Readable } from 'node:stream';
import { recordAudit } from '#features/audit';
import type { Partnerships } from '#features/partnerships';
import { chargeRefresh } from '#features/plans';
import type { ProductSerials } from '#features/products';
import type { Principal } from '#platform/access/access.ts';
import { mayRead } from '#platform/access/kinds.ts';
import type { Sql } from '#platform/db/database.ts';
import { dryRunnable } from '#platform/db/dry-run.ts';
import { BY_INDEX, byIndexIn } from '#platform/db/statements/by-index.ts';
import { byKind, countedTogether } from '#platform/db/statements/choices.ts';
import { AppError, notFound } from '#platform/errors.ts';
import { decodeHappenedCursor, decodeIdCursor, pageOf, placeOf } from '#platform/http/answers/cursor.ts';
import { toDollars } from '#platform/money.ts';
import type { Random } from '#platform/random.ts';
import type { Exports } from '#platform/spool/exports.ts';
import { periodOf } from '#platform/time/days.ts';
import { resetDownloads, tellRefreshed } from './change/reset-downloads.ts';
import { type BulkAction, changeSerials, setRevoked } from './change/revoke.ts';
import { undoable, undoChanges } from './change/undo.ts';
import { findDetail, hasSerial, listHistory, listMachines, machinePlaceOf } from './detail.queries.ts';
import { type BatchDeals, generateBatch, type MadeBatch, tryBatch } from './generate/generate.ts';
import { type SerialChoices, serialConditions, serialKinds } from './list/serial-filter.ts';
import {
  countSerials,
  listSerials,
  type SerialFilter,
  serialChoiceCounts,
  serialIds,
} from './list/serial-list.queries.ts';
import { batchExport, type StreamFormat, serialsExport } from './list/serials-export.ts';
import * as q from './serials.queries.ts';
import {
  type BatchForm,
  MAX_JSON_QUANTITY,
  type SerialDetail,
  type SerialListState,
  type SerialView,
} from './serials.schemas.ts';
import type { Standings } from './standing/standing.queries.ts';
import { type LowStockDependencies, noteRestock } from './stock/low-stock.ts';
import * as stock from './stock/product-stock.queries.ts';
import type { SerialsDb } from './tables.ts';

interface Dependencies extends LowStockDependencies {
  db: SerialsDb;
  random: Random;
  exports: Exports;
  partnerships: Partnerships;
  dealAnswers: BatchDeals;
  standings: Standings;
  redeemUrl: RedeemUrl;
}

/** Port: where a developer's customers redeem. */
export type RedeemUrl = (sql: Sql, developerId: string) => Promise<string>;

interface ListQuery extends SerialChoices {
  dateRange: string;
  state?: SerialListState | undefined;
  product_id?: string | undefined;
  batch_id?: string | undefined;
  search?: string | undefined;
}

/** Larger batches wait for their turn at the bulk gate. */
const AT_ONCE = 1000;

/** Generates, lists, revokes and reassigns serials. */
export class Serials implements ProductSerials {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Port: true while downloads of a serial are allowed; links to its files stop working along with it. */
  downloadsOpen(developerId: string, serialId: string): Promise<boolean> {
    return q.downloadsOpen(this.#deps.db, developerId, serialId);
  }

  /** Generates a batch, or returns the one that the same request generated before. */
  async generate(caller: Principal, batchId: string, form: BatchForm, signal: AbortSignal): Promise<MadeBatch> {
    const make = () => this.#make(caller, batchId, form, signal);
    return form.quantity > AT_ONCE
      ? this.#deps.db.work({ lane: 'bulk', account: caller.userId, signal }, make)
      : make();
  }

  /** The same, with all its serials as a stream. One turn at the bulk gate covers both. */
  async generateStream(
    caller: Principal,
    batchId: string,
    form: BatchForm,
    format: StreamFormat,
    signal: AbortSignal,
  ): Promise<{ batch: MadeBatch; stream: Readable }> {
    let batch: MadeBatch | undefined;
    const order = async () => {
      batch = await this.#make(caller, batchId, form, signal);
      return batchExport(caller.userId, batch.id, format, caller.timeZone);
    };
    const stream = await this.#deps.exports.open(caller.userId, order, signal);
    return { batch: batch as unknown as MadeBatch, stream };
  }

  async #make(caller: Principal, batchId: string, form: BatchForm, signal: AbortSignal): Promise<MadeBatch> {
    const order = { developerId: caller.userId, timeZone: caller.timeZone, batchId, form, signal };
    const batch = await generateBatch(this.#deps, order);
    await noteRestock(this.#deps.db, caller.userId, this.#deps.clock.now());
    return batch;
  }

  /** Previews what `generate` would create, without creating anything. */
  async tryGenerate(caller: Principal, batchId: string, form: BatchForm, signal: AbortSignal) {
    await tryBatch(this.#deps, { developerId: caller.userId, timeZone: caller.timeZone, batchId, form, signal });
    return { batch_id: null, count: form.quantity, serials: [], dry_run: true };
  }

  /** Returns a small batch as a whole. */
  async batchSerials(developerId: string, batch: MadeBatch) {
    if (batch.quantity > MAX_JSON_QUANTITY) throw new AppError('not_acceptable');
    const { id: _, quantity: __, product_name: ___, ...shared } = batch;
    const rows = await q.serialsOfBatch(this.#deps.db, developerId, batch.id);
    return {
      batch_id: batch.id,
      count: rows.length,
      serials: rows.map((row) => ({ ...row, ...shared })),
      dry_run: false,
    };
  }

  async list(caller: Principal, query: ListQuery & { cursor?: string | undefined; limit: number }) {
    const filter = this.#filter(caller, query);
    const after = decodeIdCursor(query.cursor);
    return this.#deps.db.work({ tx: true, settings: BY_INDEX }, async (sql) => {
      const rows = await listSerials(sql, filter, after, query.limit + 1);
      return { ...pageOf(rows, query.limit), ...(await countSerials(sql, filter)) };
    });
  }

  /** All matching serials. */
  async export(caller: Principal, query: ListQuery, format: StreamFormat, signal: AbortSignal): Promise<Readable> {
    const detail = query.batch_id === undefined ? (query.state ?? 'all') : 'of a batch';
    const audited = { action: 'serials_exported', at: this.#deps.clock.now(), detail } as const;
    await recordAudit(this.#deps.db, caller.userId, { ...audited, objectId: query.batch_id ?? null });
    const order = serialsExport(this.#filter(caller, query), format, caller.timeZone);
    return this.#deps.exports.open(caller.userId, order, signal);
  }

  /** What the list can be filtered by, with counts. */
  async choices(caller: Principal, query: ListQuery) {
    const together = countedTogether(serialKinds, query);
    return this.#deps.db.work({ tx: true, settings: BY_INDEX }, async (sql) => {
      const found = [];
      for (const { kinds, query } of together)
        found.push(...(await serialChoiceCounts(sql, kinds, this.#filter(caller, query))));
      return byKind(serialKinds, found);
    });
  }

  /** One action on all that fit a filter, in one transaction. @throws {AppError} domain_rule when they are too many. */
  async changeMatching(caller: Principal, form: { action: BulkAction; filter: ListQuery; dry_run: boolean }) {
    const { db, clock } = this.#deps;
    const developerId = caller.userId;
    let done: { count: number; skipped: number; changed_at?: Date } = { count: 0, skipped: 0 };
    await dryRunnable(form.dry_run, (end) =>
      db.work({ lane: 'bulk', account: developerId, tx: true }, async (tx) => {
        const ids = await byIndexIn(tx, (sql) => serialIds(sql, this.#filter(caller, form.filter)));
        const now = clock.now();
        const count = await changeSerials(this.#deps, tx, { developerId, action: form.action, ids, now });
        const audited = { action: 'serials_changed', at: now, detail: `${form.action}: ${count}` } as const;
        if (count > 0) await recordAudit(tx, developerId, audited);
        done = { count, skipped: ids.length - count, ...undoable(form.action, now, count, form.dry_run) };
        end();
      }),
    );
    return { ...done, dry_run: form.dry_run };
  }

  #filter(caller: Principal, query: ListQuery): SerialFilter {
    const now = this.#deps.clock.now();
    return {
      developerId: caller.userId,
      state: query.state,
      productId: query.product_id,
      batchIds: query.batch_id === undefined ? undefined : [query.batch_id],
      search: query.search || undefined,
      chosen: serialConditions(query, periodOf(query.dateRange, caller.timeZone, this.#deps.clock)),
      now,
    };
  }

  /** From now on it is refused by redemption, downloads and licensing. Idempotent. */
  async revoke(caller: Principal, id: string): Promise<SerialView> {
    return this.#setRevoked(caller, id, 'revoke');
  }

  /** Undoes a revocation. */
  async reassign(caller: Principal, id: string): Promise<SerialView> {
    return this.#setRevoked(caller, id, 'reassign');
  }

  async #setRevoked(caller: Principal, id: string, action: 'revoke' | 'reassign'): Promise<SerialView> {
    return this.#deps.db.work({ tx: true }, async (tx) => {
      await setRevoked(this.#deps, tx, { developerId: caller.userId, action, id, now: this.#deps.clock.now() });
      return (await q.findSerial(tx, caller.userId, id)) as SerialView;
    });
  }

  /**
   * One action on many serials in one transaction. Skips serials that do not exist or are in the requested state
   * already.
   */
  async bulk(caller: Principal, form: { action: BulkAction; ids: string[]; dry_run: boolean }) {
    const ids = [...new Set(form.ids)];
    let count = 0;
    let undo = {};
    await dryRunnable(form.dry_run, (end) =>
      this.#deps.db.work({ tx: true }, async (tx) => {
        const change = { developerId: caller.userId, action: form.action, ids, now: this.#deps.clock.now() };
        count = await changeSerials(this.#deps, tx, change);
        const audited = { action: 'serials_changed', at: change.now, detail: `${form.action}: ${count}` } as const;
        if (count > 0) await recordAudit(tx, caller.userId, audited);
        undo = undoable(form.action, change.now, count, form.dry_run);
        end();
      }),
    );
    return { count, skipped: ids.length - count, dry_run: form.dry_run, ...undo };
  }

  /** Takes a change of many serials back: exactly those that it changed, unless they were changed again. */
  async undoChange(caller: Principal, { changed_at: at, dry_run }: { changed_at: Date; dry_run: boolean }) {
    const { db, clock } = this.#deps;
    const developerId = caller.userId;
    let done: { count: number; skipped: number; changed_at?: Date } = { count: 0, skipped: 0 };
    await dryRunnable(dry_run, (end) =>
      db.work({ lane: 'bulk', account: developerId, tx: true }, async (tx) => {
        const now = clock.now();
        const { revoke, reassign, skipped } = await undoChanges(this.#deps, tx, { developerId, at, now });
        const count = revoke + reassign;
        const detail = `undo: ${count}`;
        if (count > 0) await recordAudit(tx, developerId, { action: 'serials_changed', at: now, detail });
        done = { count, skipped, ...undoable(revoke > 0 ? 'revoke' : 'reassign', now, count, dry_run) };
        end();
      }),
    );
    return { ...done, dry_run };
  }

  /**
   * Resets the download count to 0, at the price of the account's plan. Resetting a count of 0 is free.
   * @returns the serial, and the cost in dollars.
   */
  async refresh(caller: Principal, id: string): Promise<SerialView & { refresh_cost: number }> {
    const { db, clock, random } = this.#deps;
    return db.work({ tx: true }, async (tx) => {
      const now = clock.now();
      const order = { developerId: caller.userId, ids: [id], now };
      const [reset] = await resetDownloads(tx, order);
      const charge = { id: random.id(), developerId: caller.userId, serialId: id };
      const cost = reset ? await chargeRefresh(tx, clock, charge) : 0;
      const serial = await q.findSerial(tx, caller.userId, id);
      if (!serial) throw notFound('Serial');
      if (reset) await tellRefreshed(tx, order, cost);
      return { ...serial, refresh_cost: toDollars(cost) };
    });
  }

  /** Everything about one serial: its owner, its machines and its history. */
  async get(caller: Principal, id: string): Promise<SerialDetail> {
    const { db, standings, redeemUrl } = this.#deps;
    const [found, stands, page] = await Promise.all([
      findDetail(db, caller.userId, id),
      standings.ofSerial(db, caller, id),
      redeemUrl(db, caller.userId),
    ]);
    if (!found || !stands) throw notFound('Serial');
    const people = mayRead(caller, 'people');
    return {
      ...found,
      history: found.history.map(shownTo(caller)),
      standing: stands.standing,
      refresh_cost: toDollars(stands.refreshCents),
      redeem_link: prefilled(page, found.code, people ? found.customer?.email : undefined),
    };
  }

  /** What happened with a serial, page by page. @throws {AppError} not_found */
  async history(caller: Principal, id: string, query: { limit: number; cursor?: string | undefined }) {
    const { db } = this.#deps;
    const after = decodeHappenedCursor(query.cursor);
    const rows = await listHistory(db, { developerId: caller.userId, id }, after, query.limit + 1);
    // each has at least how it was made
    if (rows.length === 0 && !after) throw notFound('Serial');
    const page = pageOf(rows, query.limit, placeOf);
    return { ...page, rows: page.rows.map(shownTo(caller)) };
  }

  /** Its machines, page by page. @throws {AppError} not_found */
  async machines(caller: Principal, id: string, query: { limit: number; cursor?: string | undefined }) {
    const { db } = this.#deps;
    const after = decodeHappenedCursor(query.cursor);
    if (!(await hasSerial(db, { developerId: caller.userId, id }))) throw notFound('Serial');
    const rows = await listMachines(db, { developerId: caller.userId, id }, after, query.limit + 1);
    return pageOf(rows, query.limit, machinePlaceOf);
  }

  readonly stockSql = stock.stockSql;
  readonly countAvailable = stock.countAvailable;
  readonly countSold = stock.countSold;
  readonly deleteAll = stock.deleteAll;
  readonly retire = stock.retire;
}

/** Without the address of who had a serial before, for somebody who may not read it. */
const shownTo =
  (caller: Principal) =>
  <Event extends { kind: string; detail: string | null }>(event: Event): Event =>
    event.kind === 'transferred' && !mayRead(caller, 'people') ? { ...event, detail: null } : event;

/** The redemption page with the serial, and its owner's address, filled in. */
function prefilled(page: string, code: string, email: string | null | undefined): string {
  const url = new URL(page);
  url.searchParams.set('serial', code);
  if (email) url.searchParams.set('email', email);
  return url.toString();
}
