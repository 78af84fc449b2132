import { planOf } from '#features/plans';
import { notFound } from '#platform/errors.ts';
import { decodeCursor, pageOf } from '#platform/http/answers/cursor.ts';
import { isId } from '#platform/ids.ts';
import { toDollars } from '#platform/money.ts';
import { isDay } from '#platform/time/days.ts';
import { boundsOf, shortMonth } from '#platform/time/months.ts';
import { asksToConfirm } from '../collection/attention.ts';
import type { BillingDb } from '../tables.ts';
import {
  findStatement,
  type LineRow,
  linesOf,
  listStatements,
  type StatementRow,
  sumStatements,
} from './statements.queries.ts';
import type { Invoice, InvoiceLine, InvoiceQuery, InvoiceSummary } from './statements.schemas.ts';

/** Billing statements, as the developer who is billed reads them. */
export class Invoices {
  readonly #db: BillingDb;

  constructor({ db }: { db: BillingDb }) {
    this.#db = db;
  }

  async list(developerId: string, { year, state, limit, cursor }: InvoiceQuery) {
    const filter = { year, state };
    const rows = await listStatements(this.#db, developerId, filter, decodeCursor(cursor, [isDay, isId]), limit + 1);
    const { n, total, paid, outstanding } = await sumStatements(this.#db, developerId, filter);
    const page = pageOf(rows, limit, (last) => [last.month, last.id]);
    return {
      rows: page.rows.map(summaryOf),
      total: n,
      totals: { total: toDollars(total), paid: toDollars(paid), outstanding: toDollars(outstanding) },
      next_cursor: page.next_cursor,
    };
  }

  async get(developerId: string, id: string): Promise<Invoice> {
    const { row, lines } = await this.find(developerId, id);
    const { party, attempts, next_attempt_at, first_failed_at, charge_error, charged_cents, balance_cents } = row;
    return {
      ...summaryOf(row),
      lines: lines.map(lineOf),
      party,
      payment: {
        attempts,
        next_attempt_at,
        first_failed_at,
        last_error: charge_error,
        charged: toDollars(charged_cents),
        balance_before: toDollars(balance_cents),
        confirm: asksToConfirm(row),
      },
    };
  }

  /** @throws {AppError} not_found, also when it is somebody else's. */
  async find(developerId: string, id: string): Promise<{ row: StatementRow; lines: LineRow[] }> {
    const row = await findStatement(this.#db, developerId, id);
    if (!row) throw notFound('Invoice');
    return { row, lines: await linesOf(this.#db, row) };
  }
}

const lineOf = ({ n, kind, description, quantity, unit_cents, amount_cents }: LineRow): InvoiceLine => ({
  n,
  kind,
  description,
  quantity,
  unit_price: toDollars(unit_cents),
  amount: toDollars(amount_cents),
});

function summaryOf(row: StatementRow): InvoiceSummary {
  const [start, end] = boundsOf(row.month);
  return {
    id: row.id,
    number: row.number,
    month: shortMonth(row.month),
    period_start: new Date(start),
    period_end: new Date(end),
    plan: row.plan,
    plan_name: planOf(row.plan).name,
    fee: toDollars(row.fee_cents),
    redemptions: row.redemptions,
    overage_redemptions: row.overage_redemptions,
    overage_cost: toDollars(row.overage_cents),
    refresh_count: row.refresh_count,
    refresh_cost: toDollars(row.refresh_cents),
    total: toDollars(row.total_cents),
    state: row.state,
    closed_at: row.closed_at,
    paid_at: row.paid_at,
    paid_by: row.paid_by,
  };
}
