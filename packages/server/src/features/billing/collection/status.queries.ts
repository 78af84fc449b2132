import { sql } from 'kysely';
import { inList } from '#platform/db/statements/list-index.ts';
import { chargeError } from '../statements/statements.queries.ts';
import type { BillingDb } from '../tables.ts';

/** Statement `s` is open and was tried. One that was not tried means nothing: it is tried within the hour. */
const TRIED = sql<boolean>`(s.state = 'open' and s.attempts > 0)`;

const statementsOf = (db: BillingDb, developerId: string) =>
  db.selectFrom('billing_statements as s').where('s.developer_id', '=', developerId).where(inList('s.closed_at'));

/** The statement that decides a developer's status: the newest still collected, or else the newest paid or given up. */
export const decidingStatement = (db: BillingDb, developerId: string) =>
  statementsOf(db, developerId)
    .select(['s.id', 's.state', 's.last_reason', chargeError(developerId).as('charge_error')])
    .where('s.total_cents', '>', 0)
    .where(sql<boolean>`(s.state in ('paid', 'failed', 'uncollectible') or ${TRIED})`)
    .$narrowType<{ state: 'open' | 'paid' | 'failed' | 'uncollectible' }>()
    .orderBy(sql`s.state in ('open', 'failed')`, 'desc')
    .orderBy('s.month', 'desc')
    .limit(1)
    .executeTakeFirst();

/** The sum of charges that were tried and not paid, in cents. */
export async function owedCents(db: BillingDb, developerId: string): Promise<number> {
  const { cents } = await statementsOf(db, developerId)
    .select(sql<number>`coalesce(sum(s.total_cents), 0)::bigint`.as('cents'))
    .where(sql<boolean>`(s.state in ('failed', 'uncollectible') or ${TRIED})`)
    .executeTakeFirstOrThrow();
  return cents;
}

export const lastPaid = (db: BillingDb, developerId: string) =>
  statementsOf(db, developerId)
    .select(['s.paid_at', 's.total_cents'])
    .where('s.state', '=', 'paid')
    .orderBy('s.month', 'desc')
    .limit(1)
    .executeTakeFirst();
