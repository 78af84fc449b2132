import { billOf, planMonths, usageMonth } from '#features/plans';
import type { Clock } from '#platform/clock.ts';
import { monthOf, nextMonth } from '#platform/time/months.ts';
import { customerRow } from '../cards/cards.queries.ts';
import { isExpiring } from '../cards/expiry.ts';
import type { BillingState } from '../statements/statements.schemas.ts';
import type { BillingDb } from '../tables.ts';
import { type Attention, attentionOf } from './attention.ts';
import { decidingStatement, lastPaid, owedCents } from './status.queries.ts';

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
    const deciding = await decidingStatement(db, developerId);
    const owed = await owedCents(db, developerId);
    const last = await lastPaid(db, developerId);
    const month = monthOf(clock.now());
    const running = billOf(await usageMonth(db, developerId, month), await planMonths(db, developerId));
    const attention = await this.#attention(developerId, deciding, running.plan);
    return {
      status: deciding?.state ?? ('none' as const),
      amount_due: deciding && deciding.state !== 'paid' ? owed : 0,
      invoice_id: deciding && deciding.state !== 'paid' ? deciding.id : null,
      error: deciding && deciding.state !== 'paid' ? deciding.charge_error : null,
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
