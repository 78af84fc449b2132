import { recordAudit } from '#features/audit';
import { holdMonth } from '#features/plans';
import { type LowSerialsEvent, type LowStockDependencies, setRevoked } from '#features/serials';
import type { Principal } from '#platform/access/access.ts';
import type { Database, Sql } from '#platform/db/database.ts';
import { AppError, notFound } from '#platform/errors.ts';
import type { Publisher } from '#platform/events.ts';
import { type Cents, shareOf, toCents, toDollars } from '#platform/money.ts';
import { money } from '#platform/paper/words.ts';
import { adjust } from '../ledger/ledger.ts';
import type { SaleEvent } from '../redeem/sale-event.ts';
import type { Adjustment, RefundEvent } from './refunds.schemas.ts';

interface Dependencies extends LowStockDependencies {
  db: Database;
  events: Publisher<RefundEvent | SaleEvent | LowSerialsEvent>;
}

/** A redemption with what its adjustments add up to. */
interface Sale {
  id: string;
  /** Where it is settled: what the partnership of the redemption has become part of, or itself. */
  partnership_id: string | null;
  /** The account behind the partnership; null for a named reseller. */
  reseller_id: string | null;
  product_id: string;
  product_name: string;
  serial: string;
  source: string;
  final_price_cents: Cents;
  commission_bps: number;
  commission_cents: Cents;
}

/** What is left of the sale, after earlier refunds. */
interface Left {
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
    return this.#deps.db.transaction(async (tx) => {
      const { sale, left, made } = await this.#begin(tx, caller, serialId, id, form.revoke ? 'revoke' : null);
      if (made) return made;
      if (sale.source === 'import')
        throw new AppError('domain_rule', 'This redemption was imported. Refund it where it was sold.');
      if (left.revenue === 0) {
        const why =
          sale.final_price_cents === 0 ? 'Nothing was paid for this serial.' : 'This serial is fully refunded.';
        throw new AppError('conflict', why);
      }
      const amount = form.amount === undefined ? left.revenue : toCents(form.amount);
      if (amount > left.revenue)
        throw new AppError('domain_rule', `Only ${money(left.revenue)} can still be refunded.`);
      // the commission that would have been fixed at the reduced price, so that parts add up to the whole
      const commission = shareOf(left.revenue - amount, sale.commission_bps) - left.commission;
      return this.#write(tx, caller, { serialId, sale, left }, { ...form, id, revenue: -amount, commission });
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
    return this.#deps.db.transaction(async (tx) => {
      const { sale, left, made } = await this.#begin(tx, caller, serialId, id, form.reassign ? 'reassign' : null);
      if (made) return made;
      const revenue = sale.final_price_cents - left.revenue;
      if (revenue === 0) throw new AppError('conflict', 'This serial has no refund.');
      const commission = sale.commission_cents - left.commission;
      return this.#write(
        tx,
        caller,
        { serialId, sale, left },
        { id, kind: 'reinstatement', reason: form.reason, revenue, commission },
      );
    });
  }

  /** Holds the sale and changes its serial, unless an earlier attempt of the same request has made the entry. */
  async #begin(
    tx: Sql,
    { userId: developerId }: Principal,
    serialId: string,
    id: string,
    action: 'revoke' | 'reassign' | null,
  ): Promise<{ sale: Sale; left: Left; made: Adjustment | undefined }> {
    // the serial before the redemption and the month, as in every redemption
    if (action && !(await findEntry(tx, developerId, id)))
      await setRevoked(this.#deps, tx, { developerId, action, id: serialId, now: this.#deps.clock.now() });
    const sale = await holdSale(tx, developerId, serialId);
    const left = await leftOf(tx, developerId, sale);
    const entry = await findEntry(tx, developerId, id);
    return { sale, left, made: entry && viewOf(serialId, sale, left, entry) };
  }

  async #write(
    tx: Sql,
    caller: Principal,
    { serialId, sale, left }: { serialId: string; sale: Sale; left: Left },
    entry: Entry,
  ): Promise<Adjustment> {
    const { clock, events } = this.#deps;
    const { id, kind, reason } = entry;
    const now = clock.now();
    const month = await holdMonth(tx, caller.userId, now);
    await adjust(tx, {
      id,
      developerId: caller.userId,
      redemptionId: sale.id,
      partnershipId: sale.partnership_id,
      productId: sale.product_id,
      kind,
      revenueCents: entry.revenue,
      commissionCents: entry.commission,
      reason,
      actorId: caller.userId,
      createdAt: now,
      month,
    });
    await recordAudit(tx, caller.userId, {
      action: kind === 'reinstatement' ? 'refund_undone' : 'sale_refunded',
      at: now,
      detail: `${sale.product_name}, ${money(Math.abs(entry.revenue))}`,
      objectId: serialId,
    });
    const amount = toDollars(entry.revenue);
    await events.publish(tx, caller.userId, {
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
          developer_id: caller.userId,
          product_id: sale.product_id,
          product_name: sale.product_name,
          commission_earned: toDollars(entry.commission),
        },
      });
    }
    const after = { revenue: left.revenue + entry.revenue, commission: left.commission + entry.commission };
    return viewOf(serialId, sale, after, { ...entry, month, created_at: now });
  }
}

/** @param left after the entry. */
function viewOf(serialId: string, sale: Sale, left: Left, entry: Written): Adjustment {
  return {
    id: entry.id,
    serial_id: serialId,
    kind: entry.kind,
    amount: toDollars(entry.revenue),
    commission: toDollars(entry.commission),
    reason: entry.reason,
    month: entry.month.slice(0, 7),
    created_at: entry.created_at,
    refunded: toDollars(sale.final_price_cents - left.revenue),
    refundable: toDollars(left.revenue),
  };
}

async function findEntry(sql: Sql, developerId: string, id: string): Promise<Written | undefined> {
  const [entry] = await sql.query<Written>(
    `select id, kind, revenue_cents as revenue, commission_cents as commission, reason, month, created_at
     from ledger_adjustments where developer_id = $1 and id = $2`,
    [developerId, id],
  );
  return entry;
}

/** The redemption of a serial; until the transaction ends nobody else adjusts it. */
async function holdSale(sql: Sql, developerId: string, serialId: string): Promise<Sale> {
  const [sale] = await sql.query<Sale>(
    `select r.id, coalesce(t.merged_into, r.partnership_id) as partnership_id, t.reseller_id, r.product_id, p.name as product_name,
       s.code as serial, r.source, r.final_price_cents,
       r.commission_bps, r.commission_cents
     from redemptions r join serials s on (s.developer_id, s.id) = (r.developer_id, r.serial_id)
       join products p on (p.developer_id, p.id) = (r.developer_id, r.product_id)
       left join partnerships t on (t.developer_id, t.id) = (r.developer_id, r.partnership_id)
     where r.serial_id = $1 and r.developer_id = $2 for no key update of r`,
    [serialId, developerId],
  );
  if (sale) return sale;
  const known = await sql.query('select 1 from serials where id = $1 and developer_id = $2', [serialId, developerId]);
  if (known.length === 0) throw notFound('Serial');
  throw new AppError('conflict', 'This serial has not been redeemed.');
}

// a statement of its own: it has to see what was committed while the redemption's row was waited for
async function leftOf(sql: Sql, developerId: string, sale: Sale): Promise<Left> {
  const [sum] = await sql.query<Left>(
    `select coalesce(sum(revenue_cents), 0)::int as revenue, coalesce(sum(commission_cents), 0)::int as commission
     from ledger_adjustments where redemption_id = $1 and developer_id = $2`,
    [sale.id, developerId],
  );
  return {
    revenue: sale.final_price_cents + (sum?.revenue ?? 0),
    commission: sale.commission_cents + (sum?.commission ?? 0),
  };
}
