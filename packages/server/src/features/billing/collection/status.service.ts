import { billOf, monthOf, planMonths, usageMonth } from '#features/plans';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import { ofLists } from '#platform/db/statements/list-index.ts';
import { nextMonth } from '#platform/time/months.ts';
import { customerRow } from '../cards/cards.queries.ts';
import { isExpiring } from '../cards/expiry.ts';
import { CHARGE_ERROR } from '../statements/statements.queries.ts';
import { type Attention, attentionOf } from './attention.ts';

interface Row {
  id: string;
  state: 'open' | 'paid' | 'failed' | 'uncollectible';
  total_cents: number;
  charge_error: string | null;
  last_reason: string | null;
}

interface Dependencies {
  db: Database;
  clock: Clock;
  /** Whether cards are charged here. */
  collects: boolean;
}

/** How a developer's account stands: what was charged, what is owed, and what comes next. */
export class BillingStatus {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async of(developerId: string) {
    const { db, clock } = this.#deps;
    // one that was not tried yet says nothing: it is tried within the hour
    const tried = await db.query<Row>(
      `select id, state, total_cents, ${CHARGE_ERROR}, last_reason from billing_statements s
       where developer_id = $1 and ${ofLists('closed_at')} and total_cents > 0 and (state in ('paid', 'failed', 'uncollectible') or (state = 'open' and attempts > 0))
       order by state in ('open', 'failed') desc, month desc limit 1`,
      [developerId],
    );
    const [owed] = await db.query<{ cents: number }>(
      `select coalesce(sum(total_cents), 0)::bigint as cents from billing_statements
       where developer_id = $1 and ${ofLists('closed_at')} and (state in ('failed', 'uncollectible') or (state = 'open' and attempts > 0))`,
      [developerId],
    );
    const [last] = await db.query<{ paid_at: Date; total_cents: number }>(
      `select paid_at, total_cents from billing_statements where developer_id = $1 and ${ofLists('closed_at')} and state = 'paid' order by month desc limit 1`,
      [developerId],
    );
    const [newest] = tried;
    const month = monthOf(clock.now());
    const running = billOf(await usageMonth(db, developerId, month), await planMonths(db, developerId));
    const attention = await this.#attention(developerId, newest, running.plan);
    return {
      status: newest?.state ?? ('none' as const),
      amount_due: newest && newest.state !== 'paid' ? (owed?.cents ?? 0) : 0,
      invoice_id: newest && newest.state !== 'paid' ? newest.id : null,
      error: newest && newest.state !== 'paid' ? newest.charge_error : null,
      attention,
      last_billed_at: last?.paid_at ?? null,
      last_amount_cents: last?.total_cents ?? null,
      next_billed_at: new Date(`${nextMonth(month)}T00:00:00Z`),
      next_amount_cents: running.total_cents,
    };
  }

  async #attention(developerId: string, invoice: Row | undefined, plan: string): Promise<Attention | null> {
    const { db, clock, collects } = this.#deps;
    if (!collects) return null;
    const row = await customerRow(db, developerId);
    const { exp_year, exp_month } = row ?? {};
    const card = exp_year && exp_month ? { expiring: isExpiring({ exp_year, exp_month }, clock.now()) } : null;
    return attentionOf({
      state: invoice?.state,
      reason: invoice?.last_reason ?? null,
      card,
      cardNeeded: plan !== 'free',
    });
  }
}
