import { sql } from 'kysely';
import { accountsWanting, recordWebhook, recordWebhooks } from '#features/webhooks';
import { inList } from '#platform/db/statements/list-index.ts';
import { joinOwn } from '#platform/db/tenant.ts';
import { toDollars } from '#platform/money.ts';
import { outstandingOf } from './payout-rules.ts';
import type { PayoutRow } from './statements/payouts.queries.ts';
import type { PayoutsHandle } from './tables.ts';

type PayoutFacts = Pick<PayoutRow, 'id' | 'number' | 'developer_id' | 'partnership_id' | 'month' | 'due_cents'>;

const dataOf = ({ id, number, developer_id, partnership_id, month, due_cents }: PayoutFacts) => ({
  payout_id: id,
  number,
  developer_id,
  partnership_id,
  month,
  due: toDollars(due_cents),
});

/** Notifies both sides of the statements that a close has made, in its transaction. */
export async function notifyPayoutsCreated(
  tx: PayoutsHandle,
  developerIds: readonly string[],
  month: string,
  now: Date,
): Promise<void> {
  if (developerIds.length === 0) return;
  const rows = await tx
    .selectFrom('payouts as o')
    .$call(joinOwn('partnerships as p', 'p.id', 'o.partnership_id'))
    .select(['o.id', 'o.number', 'o.developer_id', 'o.partnership_id', 'o.month', 'o.due_cents', 'p.reseller_id'])
    .where('o.developer_id', '=', sql<string>`any(${developerIds}::uuid[])`)
    .where(inList('o.closed_at'))
    .where('o.month', '=', month)
    .orderBy('o.id')
    .execute();
  const type = 'payout.created' as const;
  const resellers = rows.map(({ reseller_id }) => reseller_id).filter((id) => id !== null);
  const wanting = await accountsWanting(tx, [...developerIds, ...resellers], type);
  for (const developerId of developerIds) {
    if (!wanting.has(developerId)) continue;
    const own = rows.filter((row) => row.developer_id === developerId);
    const events = own.map((row) => ({ type, at: now, data: dataOf(row) }));
    await recordWebhooks(tx, developerId, events);
  }
  for (const row of rows)
    if (row.reseller_id !== null && wanting.has(row.reseller_id))
      await recordWebhook(tx, row.reseller_id, { type, at: now, data: dataOf(row) });
}

/** Notifies both sides in the transaction in which a reseller confirms, or keeps silent for long enough. */
export async function notifyPayoutConfirmed(tx: PayoutsHandle, payout: PayoutRow, now: Date): Promise<void> {
  for (const accountId of await sidesOf(tx, payout))
    await recordWebhook(tx, accountId, { type: 'payout.confirmed', at: now, data: dataOf(payout) });
}

/** Notifies about a payment in the transaction that records it. @param payout as it was before. */
export async function notifyPayoutPaid(tx: PayoutsHandle, payout: PayoutRow, cents: number, now: Date): Promise<void> {
  const outstanding = toDollars(outstandingOf(payout) - cents);
  const data = { ...dataOf(payout), amount: toDollars(cents), outstanding };
  for (const accountId of await sidesOf(tx, payout))
    await recordWebhook(tx, accountId, { type: 'payout.paid', at: now, data });
}

async function sidesOf(tx: PayoutsHandle, { developer_id, partnership_id }: PayoutRow): Promise<string[]> {
  const partnership = await tx
    .selectFrom('partnerships')
    .select('reseller_id')
    .where('developer_id', '=', developer_id)
    .where('id', '=', partnership_id)
    .executeTakeFirst();
  return [developer_id, partnership?.reseller_id].filter((id) => id != null);
}
