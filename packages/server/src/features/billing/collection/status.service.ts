import { sql } from 'kysely';
import { billOf, planMonths, usageMonth } from '#features/plans';
import type { Clock } from '#platform/clock.ts';
import { inList } from '#platform/db/statements/list-index.ts';
import { monthOf, nextMonth } from '#platform/time/months.ts';
import { customerRow } from '../cards/cards.queries.ts';
import { isExpiring } from '../cards/expiry.ts';
import { chargeError } from '../statements/statements.queries.ts';
import type { BillingState } from '../statements/statements.schemas.ts';
import type { BillingDb } from '../tables.ts';
import { type Attention, attentionOf } from './attention.ts';

/** Statement `s` is open and was tried. One that was not tried means nothing: it is tried within the hour. */
const TRIED = sql<boolean>`(s.state = 'open' and s.attempts > 0)`;

interface Dependencies {
  db: BillingDb;
  clock: Clock;
  /** Whether cards are charged here. */
  collects: boolean;
}

/** A developer's billing status: what was charged, what is owed, and what comes next. */
export class BillingStatus {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async of(developerId: string) {
    const { db, clock } = this.#deps;
    const statements = db
      .selectFrom('billing_statements as s')
      .where('s.developer_id', '=', developerId)
      .where(inList('s.closed_at'));
    const newest = await statements
      .select(['s.id', 's.state', 's.last_reason', chargeError(developerId).as('charge_error')])
      .where('s.total_cents', '>', 0)
      .where(sql<boolean>`(s.state in ('paid', 'failed', 'uncollectible') or ${TRIED})`)
      .$narrowType<{ state: 'open' | 'paid' | 'failed' | 'uncollectible' }>()
      .orderBy(sql`s.state in ('open', 'failed')`, 'desc')
      .orderBy('s.month', 'desc')
      .limit(1)
      .executeTakeFirst();
    const owed = await statements
      .select(sql<number>`coalesce(sum(s.total_cents), 0)::bigint`.as('cents'))
      .where(sql<boolean>`(s.state in ('failed', 'uncollectible') or ${TRIED})`)
      .executeTakeFirstOrThrow();
    const last = await statements
      .select(['s.paid_at', 's.total_cents'])
      .where('s.state', '=', 'paid')
      .orderBy('s.month', 'desc')
      .limit(1)
      .executeTakeFirst();
    const month = monthOf(clock.now());
    const running = billOf(await usageMonth(db, developerId, month), await planMonths(db, developerId));
    const attention = await this.#attention(developerId, newest, running.plan);
    return {
      status: newest?.state ?? ('none' as const),
      amount_due: newest && newest.state !== 'paid' ? owed.cents : 0,
      invoice_id: newest && newest.state !== 'paid' ? newest.id : null,
      error: newest && newest.state !== 'paid' ? newest.charge_error : null,
      attention,
      last_billed_at: last?.paid_at ?? null,
      last_amount_cents: last?.total_cents ?? null,
      next_billed_at: new Date(`${nextMonth(month)}T00:00:00Z`),
      next_amount_cents: running.total_cents,
    };
  }

  async #attention(
    developerId: string,
    invoice: { state: BillingState; last_reason: string | null } | undefined,
    plan: string,
  ): Promise<Attention | null> {
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
