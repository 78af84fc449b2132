import { recordAudit } from '#features/audit';
import { chargeRefresh } from '#features/plans';
import type { Principal } from '#platform/access/access.ts';
import { dryRunnable } from '#platform/db/dry-run.ts';
import { byIndexIn } from '#platform/db/statements/by-index.ts';
import { notFound } from '#platform/errors.ts';
import { toDollars } from '#platform/money.ts';
import type { Random } from '#platform/random.ts';
import { serialIds } from '../list/serial-list.queries.ts';
import { type SerialQuery, serialFilterOf } from '../list/serial-query.ts';
import { findSerial } from '../serials.queries.ts';
import type { SerialView } from '../serials.schemas.ts';
import type { LowStockDependencies } from '../stock/low-stock.ts';
import type { SerialsDb } from '../tables.ts';
import { notifyRefreshed, resetDownloads } from './reset-downloads.ts';
import { type BulkAction, changeSerials, setRevoked } from './revoke.ts';
import { undoable, undoChanges } from './undo.ts';

interface Dependencies extends LowStockDependencies {
  db: SerialsDb;
  random: Random;
}

/** Revokes, reassigns and deletes serials, and sets their download counts back. */
export class SerialChanges {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** One action on all that fit a filter, in one transaction. @throws {AppError} domain_rule when they are too many. */
  async changeMatching(caller: Principal, form: { action: BulkAction; filter: SerialQuery; dry_run: boolean }) {
    const { db, clock } = this.#deps;
    const developerId = caller.accountId;
    let done: { count: number; skipped: number; changed_at?: Date } = { count: 0, skipped: 0 };
    await dryRunnable(form.dry_run, (end) =>
      db.work({ lane: 'bulk', account: developerId, tx: true }, async (tx) => {
        const ids = await byIndexIn(tx, (sql) => serialIds(sql, serialFilterOf(caller, form.filter, clock)));
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

  /** Revokes a serial: redemption, downloads and licensing refuse it from now on. Idempotent. */
  async revoke(caller: Principal, id: string): Promise<SerialView> {
    return this.#setRevoked(caller, id, 'revoke');
  }

  /** Undoes a revocation. */
  async reassign(caller: Principal, id: string): Promise<SerialView> {
    return this.#setRevoked(caller, id, 'reassign');
  }

  async #setRevoked(caller: Principal, id: string, action: 'revoke' | 'reassign'): Promise<SerialView> {
    return this.#deps.db.work({ tx: true }, async (tx) => {
      await setRevoked(this.#deps, tx, { developerId: caller.accountId, action, id, now: this.#deps.clock.now() });
      return (await findSerial(tx, caller.accountId, id)) as SerialView;
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
        const change = { developerId: caller.accountId, action: form.action, ids, now: this.#deps.clock.now() };
        count = await changeSerials(this.#deps, tx, change);
        const audited = { action: 'serials_changed', at: change.now, detail: `${form.action}: ${count}` } as const;
        if (count > 0) await recordAudit(tx, caller.accountId, audited);
        undo = undoable(form.action, change.now, count, form.dry_run);
        end();
      }),
    );
    return { count, skipped: ids.length - count, dry_run: form.dry_run, ...undo };
  }

  /** Takes a change of many serials back: exactly those that it changed, unless they were changed again. */
  async undoChange(caller: Principal, { changed_at: at, dry_run }: { changed_at: Date; dry_run: boolean }) {
    const { db, clock } = this.#deps;
    const developerId = caller.accountId;
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
      const order = { developerId: caller.accountId, ids: [id], now };
      const [reset] = await resetDownloads(tx, order);
      const charge = { id: random.id(), developerId: caller.accountId, serialId: id };
      const cost = reset ? await chargeRefresh(tx, clock, charge) : 0;
      const serial = await findSerial(tx, caller.accountId, id);
      if (!serial) throw notFound('Serial');
      if (reset) await notifyRefreshed(tx, order, cost);
      return { ...serial, refresh_cost: toDollars(cost) };
    });
  }
}
