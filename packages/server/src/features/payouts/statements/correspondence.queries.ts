import type { Sql } from '#platform/db/database.ts';
import { toDollars } from '#platform/money.ts';
import type { PayoutMessageView, PayoutPaymentView } from '../payouts.schemas.ts';
import type { PayoutRow } from './payouts.queries.ts';

type Key = Pick<PayoutRow, 'developer_id' | 'id'>;

const MOST = 200;

export async function listPayments(sql: Sql, { developer_id, id }: Key): Promise<PayoutPaymentView[]> {
  const rows = await sql.query<Omit<PayoutPaymentView, 'amount'> & { amount_cents: number }>(
    `select * from (
       select n, amount_cents, paid_on, method, reference, reverses, reason, recorded_at from payout_payments
       where developer_id = $1 and payout_id = $2 order by n desc limit ${MOST}) newest order by n`,
    [developer_id, id],
  );
  return rows.map(({ amount_cents, ...row }) => ({ ...row, amount: toDollars(amount_cents) }));
}

export function listMessages(sql: Sql, { developer_id, id }: Key): Promise<PayoutMessageView[]> {
  return sql.query<PayoutMessageView>(
    `select kind, by, text, created_at from (
       select id, kind, text, created_at,
         case when author_id is null then 'silence' when author_id = developer_id then 'developer' else 'reseller' end as by
       from payout_messages where developer_id = $1 and payout_id = $2 order by id desc limit ${MOST}) newest order by id`,
    [developer_id, id],
  );
}
