import { accountsWanting, recordWebhook, recordWebhooks } from '#features/webhooks';
import type { Sql } from '#platform/db/database.ts';
import { listOf } from '#platform/db/statements/list-index.ts';
import { toDollars } from '#platform/money.ts';
import { outstandingOf } from '../payout-rules.ts';
import type { PayoutRow } from '../statements/payouts.queries.ts';

type Told = Pick<PayoutRow, 'id' | 'number' | 'developer_id' | 'partnership_id' | 'month' | 'due_cents'>;

const dataOf = ({ id, number, developer_id, partnership_id, month, due_cents }: Told) => ({
  payout_id: id,
  number,
  developer_id,
  partnership_id,
  month,
  due: toDollars(due_cents),
});

/** In the transaction of a close: the statements that it has made, to both sides. */
export async function tellCreated(sql: Sql, developerIds: readonly string[], month: string, now: Date): Promise<void> {
  if (developerIds.length === 0) return;
  const rows = await sql.query<Told & { reseller_id: string | null }>(
    `select o.id, o.number, o.developer_id, o.partnership_id, o.month, o.due_cents, p.reseller_id
     from payouts o join partnerships p on (p.developer_id, p.id) = (o.developer_id, o.partnership_id)
     where o.developer_id = any($1::uuid[]) and ${listOf('o', 'closed_at')} and o.month = $2 order by o.id`,
    [developerIds, month],
  );
  const type = 'payout.created' as const;
  const resellers = rows.map(({ reseller_id }) => reseller_id).filter((id) => id !== null);
  const wanting = await accountsWanting(sql, [...developerIds, ...resellers], type);
  for (const developerId of developerIds) {
    if (!wanting.has(developerId)) continue;
    const own = rows.filter((row) => row.developer_id === developerId);
    const events = own.map((row) => ({ type, at: now, data: dataOf(row) }));
    await recordWebhooks(sql, developerId, events);
  }
  for (const row of rows)
    if (row.reseller_id !== null && wanting.has(row.reseller_id))
      await recordWebhook(sql, row.reseller_id, { type, at: now, data: dataOf(row) });
}

/** In the transaction in which a reseller confirms, or keeps silent for long enough. */
export async function tellConfirmed(sql: Sql, payout: PayoutRow, now: Date): Promise<void> {
  for (const accountId of await sidesOf(sql, payout))
    await recordWebhook(sql, accountId, { type: 'payout.confirmed', at: now, data: dataOf(payout) });
}

/** In the transaction that records a payment. @param payout as it was before. */
export async function tellPaid(sql: Sql, payout: PayoutRow, cents: number, now: Date): Promise<void> {
  const outstanding = toDollars(outstandingOf(payout) - cents);
  const data = { ...dataOf(payout), amount: toDollars(cents), outstanding };
  for (const accountId of await sidesOf(sql, payout))
    await recordWebhook(sql, accountId, { type: 'payout.paid', at: now, data });
}

async function sidesOf(sql: Sql, { developer_id, partnership_id }: PayoutRow): Promise<string[]> {
  const [partnership] = await sql.query<{ reseller_id: string | null }>(
    'select reseller_id from partnerships where developer_id = $1 and id = $2',
    [developer_id, partnership_id],
  );
  return [developer_id, partnership?.reseller_id].filter((id) => id != null);
}
