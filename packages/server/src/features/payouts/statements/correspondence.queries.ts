import { sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import { toDollars } from '#platform/money.ts';
import type { PayoutMessageView, PayoutPaymentView } from '../payouts.schemas.ts';
import { tables } from '../tables.ts';
import type { PayoutRow } from './payouts.queries.ts';

type Key = Pick<PayoutRow, 'developer_id' | 'id'>;

/** The newest, which are shown in the order in which they came. */
const MOST = 200;

export async function listPayments(handle: Sql, { developer_id, id }: Key): Promise<PayoutPaymentView[]> {
  const rows = await tables
    .in(handle)
    .selectFrom('payout_payments')
    .select(['n', 'amount_cents', 'paid_on', 'method', 'reference', 'reverses', 'reason', 'recorded_at'])
    .where('developer_id', '=', developer_id)
    .where('payout_id', '=', id)
    .orderBy('n', 'desc')
    .limit(MOST)
    .execute();
  return rows.reverse().map(({ amount_cents, ...row }) => ({ ...row, amount: toDollars(amount_cents) }));
}

export async function listMessages(handle: Sql, { developer_id, id }: Key): Promise<PayoutMessageView[]> {
  const rows = await tables
    .in(handle)
    .selectFrom('payout_messages')
    .select('kind')
    .select(
      sql<PayoutMessageView['by']>`case when author_id is null then 'silence'
        when author_id = developer_id then 'developer' else 'reseller' end`.as('by'),
    )
    .select(['text', 'created_at'])
    .where('developer_id', '=', developer_id)
    .where('payout_id', '=', id)
    .orderBy('id', 'desc')
    .limit(MOST)
    .execute();
  return rows.reverse();
}
