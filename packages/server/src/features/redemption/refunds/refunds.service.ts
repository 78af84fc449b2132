import { sql } from 'kysely';
import { recordAudit } from '#features/audit';
import { holdMonth } from '#features/plans';
import { type LowSerialsEvent, type LowStockDependencies, setRevoked } from '#features/serials';
import type { Principal } from '#platform/access/access.ts';
import type { Sql } from '#platform/db/database.ts';
import { joinOwn, leftJoinOwn } from '#platform/db/tenant.ts';
import { AppError, notFound } from '#platform/errors.ts';
import type { Publisher } from '#platform/events.ts';
import { type Cents, shareOf, toCents, toDollars } from '#platform/money.ts';
import { money } from '#platform/paper/words.ts';
import type { Random } from '#platform/random.ts';
import { shortMonth } from '#platform/time/months.ts';
import { adjust } from '../ledger/ledger.ts';
import type { SaleEvent } from '../redeem/sale-event.ts';
import { type RedemptionDb, type RedemptionHandle, tables } from '../tables.ts';
import type { Adjustment, RefundEvent } from './refunds.schemas.ts';

interface Dependencies extends LowStockDependencies {
  db: RedemptionDb;
  random: Random;
  events: Publisher<RefundEvent | SaleEvent | LowSerialsEvent>;
}

/** The rest of the sale, after earlier refunds. */
interface Remainder {
  revenue: Cents;
  commission: Cents;
}

interface Entry {
  id: string;
  kind: Adjustment['kind'];
  revenue: Cents;
  commission: Cents;
  reason: string;
}

interface Written extends Entry {
  month: string;
  created_at: Date;
}

/** Gives back what was paid for a redemption, and takes that back again. The ledger's own rows never change. */
export class Refunds {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Refunds a redemption in whole or in part, today: the month of the redemption stays as it was.
   * @param id of the entry, and of the request: a repeat gets the entry that is there.
   * @throws {AppError} not_found, conflict when nothing is left to refund, domain_rule for more than is left and for an
   * imported redemption.
   */
  async refund(
    caller: Principal,
    serialId: string,
    id: string,
    form: { amount?: number | undefined; reason: string; kind: 'refund' | 'chargeback'; revoke: boolean },
  ): Promise<Adjustment> {
    return this.#deps.db.work({ tx: true }, async (tx) => {
      const { sale, remainder, made } = await this.#begin(tx, caller, serialId, id, form.revoke ? 'revoke' : null);
      if (made) return made;
      if (sale.source === 'import')
        throw new AppError('domain_rule', 'This redemption was imported. Refund it where it was sold.');
      if (remainder.revenue === 0) {
        const why =
          sale.final_price_cents === 0 ? 'Nothing was paid for this serial.' : 'This serial is fully refunded.';
        throw new AppError('conflict', why);
      }
      const amount = form.amount === undefined ? remainder.revenue : toCents(form.amount);
      if (amount > remainder.revenue)
        throw new AppError('domain_rule', `Only ${money(remainder.revenue)} can still be refunded.`);
      // the commission that would have been fixed at the reduced price, so that parts add up to the whole
      const commission = shareOf(remainder.revenue - amount, sale.commission_bps) - remainder.commission;
      return this.#write(tx, caller, { serialId, sale, remainder }, { ...form, id, revenue: -amount, commission });
    });
  }

  /**
   * Takes back all refunds of a redemption: the exact negative of what they add up to.
   * @param id as in {@link refund}.
   * @throws {AppError} not_found, or conflict when nothing is refunded.
   */
  async reinstate(
    caller: Principal,
    serialId: string,
    id: string,
    form: { reason: string; reassign: boolean },
  ): Promise<Adjustment> {
    return this.#deps.db.work({ tx: true }, async (tx) => {
      const { sale, remainder, made } = await this.#begin(tx, caller, serialId, id, form.reassign ? 'reassign' : null);
      if (made) return made;
      const revenue = sale.final_price_cents - remainder.revenue;
      if (revenue === 0) throw new AppError('conflict', 'This serial has no refund.');
      const commission = sale.commission_cents - remainder.commission;
      return this.#write(
        tx,
        caller,
        { serialId, sale, remainder },
        { id, kind: 'reinstatement', reason: form.reason, revenue, commission },
      );
    });
  }

  /**
   * Books an amount that a shop gave back for a redemption, or took back again, in the caller's transaction: at most
   * what is left, and at most what was given. An imported redemption stays as it is.
   * @param cents more than 0 to give back, less to take back.
   * @returns the cents that were booked.
   */
  async settle(
    handle: Sql,
    accountId: string,
    serialId: string,
    { cents, kind, reason }: { cents: Cents; kind: 'refund' | 'chargeback'; reason: string },
  ): Promise<Cents> {
    const tx = tables.in(handle);
    const sale = await holdSale(tx, accountId, serialId);
    if (sale.source === 'import') return 0;
    const remainder = await remainderOf(tx, accountId, sale);
    const given = sale.final_price_cents - remainder.revenue;
    const booked = cents > 0 ? Math.min(cents, remainder.revenue) : Math.max(cents, -given);
    if (booked === 0) return 0;
    const after = remainder.revenue - booked;
    const commission =
      (after === sale.final_price_cents ? sale.commission_cents : shareOf(after, sale.commission_bps)) -
      remainder.commission;
    const entry = { id: this.#deps.random.id(), kind: booked > 0 ? kind : ('reinstatement' as const), reason };
    await this.#write(tx, { accountId }, { serialId, sale, remainder }, { ...entry, revenue: 0 - booked, commission });
    return booked;
  }

  /** Holds the sale and changes its serial, unless an earlier attempt of the same request has made the entry. */
  async #begin(
    tx: RedemptionHandle,
    { accountId: developerId }: Principal,
    serialId: string,
    id: string,
    action: 'revoke' | 'reassign' | null,
  ): Promise<{ sale: Sale; remainder: Remainder; made: Adjustment | undefined }> {
    // the serial before the redemption and the month, as in every redemption
    if (action && !(await findEntry(tx, developerId, id)))
      await setRevoked(this.#deps, tx, { developerId, action, id: serialId, now: this.#deps.clock.now() });
    const sale = await holdSale(tx, developerId, serialId);
    const remainder = await remainderOf(tx, developerId, sale);
    const entry = await findEntry(tx, developerId, id);
    return { sale, remainder, made: entry && viewOf(serialId, sale, remainder, entry) };
  }

  async #write(
    tx: RedemptionHandle,
    caller: Pick<Principal, 'accountId'>,
    { serialId, sale, remainder }: { serialId: string; sale: Sale; remainder: Remainder },
    entry: Entry,
  ): Promise<Adjustment> {
    const { clock, events } = this.#deps;
    const { id, kind, reason } = entry;
    const now = clock.now();
    const month = await holdMonth(tx, caller.accountId, now);
    await adjust(tx, {
      id,
      developer_id: caller.accountId,
      redemption_id: sale.id,
      partnership_id: sale.partnership_id,
      product_id: sale.product_id,
      kind,
      revenue_cents: entry.revenue,
      commission_cents: entry.commission,
      reason,
      actor_id: caller.accountId,
      created_at: now,
      month,
    });
    await recordAudit(tx, caller.accountId, {
      action: kind === 'reinstatement' ? 'refund_undone' : 'sale_refunded',
      at: now,
      detail: `${sale.product_name}, ${money(Math.abs(entry.revenue))}`,
      objectId: serialId,
    });
    const amount = toDollars(entry.revenue);
    await events.publish(tx, caller.accountId, {
      type: 'refund',
      data: {
        serial_id: serialId,
        serial: sale.serial,
        product_id: sale.product_id,
        product_name: sale.product_name,
        kind,
        amount,
        reason,
        created_at: now,
      },
    });
    if (sale.reseller_id) {
      await events.publish(tx, sale.reseller_id, {
        type: 'sale',
        data: {
          kind,
          developer_id: caller.accountId,
          product_id: sale.product_id,
          product_name: sale.product_name,
          commission_earned: toDollars(entry.commission),
        },
      });
    }
    const after = { revenue: remainder.revenue + entry.revenue, commission: remainder.commission + entry.commission };
    return viewOf(serialId, sale, after, { ...entry, month, created_at: now });
  }
}

/** @param remainder after the entry. */
function viewOf(serialId: string, sale: Sale, remainder: Remainder, entry: Written): Adjustment {
  return {
    id: entry.id,
    serial_id: serialId,
    kind: entry.kind,
    amount: toDollars(entry.revenue),
    commission: toDollars(entry.commission),
    reason: entry.reason,
    month: shortMonth(entry.month),
    created_at: entry.created_at,
    refunded: toDollars(sale.final_price_cents - remainder.revenue),
    refundable: toDollars(remainder.revenue),
  };
}

function findEntry(tx: RedemptionHandle, developerId: string, id: string): Promise<Written | undefined> {
  return (
    tx
      .selectFrom('ledger_adjustments')
      .select([
        'id',
        'kind',
        'revenue_cents as revenue',
        'commission_cents as commission',
        'reason',
        'month',
        'created_at',
      ])
      .where('developer_id', '=', developerId)
      .where('id', '=', id)
      // a correction is made without a request, so none has its id
      .$narrowType<{ kind: Adjustment['kind'] }>()
      .executeTakeFirst()
  );
}

/**
 * The redemption of a serial; until the transaction ends nobody else adjusts it. `partnership_id` is where it is settled: what the
 * partnership of the redemption has become part of, or itself. `reseller_id` is null for a named reseller.
 */
async function holdSale(tx: RedemptionHandle, developerId: string, serialId: string) {
  const sale = await tx
    .selectFrom('redemptions as r')
    .$call(joinOwn('serials as s', 's.id', 'r.serial_id'))
    .$call(joinOwn('products as p', 'p.id', 'r.product_id'))
    .$call(leftJoinOwn('partnerships as t', 't.id', 'r.partnership_id'))
    .select(['r.id', 't.reseller_id', 'r.product_id', 'p.name as product_name', 's.code as serial', 'r.source'])
    .select(['r.final_price_cents', 'r.commission_bps', 'r.commission_cents'])
    .select((eb) => eb.fn.coalesce('t.merged_into', 'r.partnership_id').as('partnership_id'))
    .where('r.developer_id', '=', developerId)
    .where('r.serial_id', '=', serialId)
    .forNoKeyUpdate('r')
    .executeTakeFirst();
  if (sale) return sale;
  const known = await tx
    .selectFrom('serials')
    .select('id')
    .where('developer_id', '=', developerId)
    .where('id', '=', serialId)
    .executeTakeFirst();
  if (!known) throw notFound('Serial');
  throw new AppError('conflict', 'This serial has not been redeemed.');
}

/** A redemption, before what its adjustments add up to. */
type Sale = Awaited<ReturnType<typeof holdSale>>;

// a statement of its own: it has to see what was committed while the redemption's row was waited for
async function remainderOf(tx: RedemptionHandle, developerId: string, sale: Sale): Promise<Remainder> {
  const sum = await tx
    .selectFrom('ledger_adjustments')
    .select(sql<Cents>`coalesce(sum(revenue_cents), 0)::int`.as('revenue'))
    .select(sql<Cents>`coalesce(sum(commission_cents), 0)::int`.as('commission'))
    .where('developer_id', '=', developerId)
    .where('redemption_id', '=', sale.id)
    .executeTakeFirstOrThrow();
  return {
    revenue: sale.final_price_cents + sum.revenue,
    commission: sale.commission_cents + sum.commission,
  };
}
