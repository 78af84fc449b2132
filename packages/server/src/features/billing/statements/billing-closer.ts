import { sql } from 'kysely';
import type { MadeOf, MonthCloser } from '#features/closing';
import {
  billOf,
  isBilled,
  type MonthBill,
  nothingUsed,
  planAtStart,
  planMonthsOf,
  planOf,
  usageMonthOf,
} from '#features/plans';
import { uuidV7Of } from '#platform/db/statements/uuid-v7.ts';
import type { Columns } from '#platform/db/tables.ts';
import { json } from '#platform/db/work.ts';
import type { Logger } from '#platform/log.ts';
import { numberSeries } from '#platform/operations/restores.ts';
import { nextMonth } from '#platform/time/months.ts';
import { type BillingHandle, tables } from '../tables.ts';
import { type BillLine, billLines } from './bill.ts';
import type { BillingState } from './statements.schemas.ts';

interface Options {
  log: Logger;
  /** Whether statements are collected by card. */
  collects: boolean;
}

/**
 * Makes developers' billing statements of a month: none when nothing was used and the plan has no fee. A plan with a fee
 * opens the next month, so that each of its months is closed, however late.
 */
export const billingCloser =
  ({ log, collects }: Options): MonthCloser =>
  async (handle, { developerIds, month, now }) => {
    const tx = tables.in(handle);
    const changes = await planMonthsOf(tx, developerIds);
    const usage = await usageMonthOf(tx, developerIds, month);
    const open = await openAccounts(tx, developerIds);
    const made = new Map<string, MadeOf>();
    const statements: NewStatement[] = [];
    for (const developerId of developerIds) {
      const own = changes.get(developerId) ?? [];
      const bill = billOf(usage.get(developerId) ?? nothingUsed(month), own);
      const billed = isBilled(bill);
      if (billed) {
        const lines = await billLines(tx, developerId, bill, own);
        if (lines.some(({ unit_cents }) => unit_cents === null))
          log.error({ developer: developerId, month }, 'the prices of a month do not add up to what it has counted');
        statements.push({ developerId, bill, lines, state: stateOf(bill, collects) });
      }
      const fee = planOf(planAtStart(own, nextMonth(month))).priceCents;
      made.set(developerId, { made: billed ? 1 : 0, opensNext: fee > 0 && open.has(developerId) });
    }
    if (statements.length > 0) await insert(tx, statements, { month, now });
    return made;
  };

const stateOf = ({ total_cents }: MonthBill, collects: boolean): BillingState => {
  if (total_cents === 0) return 'settled';
  return collects ? 'rated' : 'local';
};

/** Those of some developers whose account is not deleted. */
async function openAccounts(tx: BillingHandle, developerIds: readonly string[]): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', sql<string>`any(${developerIds}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

interface NewStatement {
  developerId: string;
  bill: MonthBill;
  lines: BillLine[];
  state: BillingState;
}

/** All together, so that the row of numbers, which every close needs, is held for three statements of SQL only. */
async function insert(
  tx: BillingHandle,
  statements: readonly NewStatement[],
  { month, now }: { month: string; now: Date },
): Promise<void> {
  const numbers = await takeNumbers(tx, month, statements.length);
  const bills = statements.map(({ developerId, bill, state }, at) => ({
    n: at + 1,
    developer_id: developerId,
    number: numbers[at],
    ...bill,
    state,
  }));
  const { rows } = await sql<Columns<'billing_statements', 'id' | 'developer_id'>>`
    insert into billing_statements (id, developer_id, month, number, plan, fee_cents, redemptions, overage_redemptions, overage_cents,
      refresh_count, refresh_cents, total_cents, party, closed_at, state, next_attempt_at)
    select ${uuidV7Of(sql`${now}::timestamptz`)}, u.id, ${month}::date, b.number, b.plan, b.fee_cents, b.redemptions, b.overage_redemptions,
      b.overage_cents, b.refresh_count, b.refresh_cents, b.total_cents,
      jsonb_build_object('name', trim(concat_ws(' ', u.first_name, u.last_name)), 'email', u.email, 'company', nullif(u.company_name, ''),
        'address', nullif(u.business_address, ''), 'tax_id', nullif(u.tax_id, '')),
      ${now}::timestamptz, b.state, case when b.state = 'rated' then ${now}::timestamptz end
    from jsonb_to_recordset(${json(bills)}) as b (n int, developer_id uuid, number text, plan text, fee_cents bigint, redemptions int,
      overage_redemptions int, overage_cents bigint, refresh_count int, refresh_cents bigint, total_cents bigint, state text)
    join users u on u.id = b.developer_id order by b.n
    returning id, developer_id`.execute(tx);
  if (rows.length < statements.length) throw new Error('there is no account to bill');
  const ids = new Map(rows.map(({ id, developer_id }) => [developer_id, id]));
  const lines = statements.flatMap(({ developerId, lines: own }) =>
    own.map((line, at) => ({ ...line, n: at + 1, developer_id: developerId, statement_id: ids.get(developerId) })),
  );
  if (lines.length === 0) return;
  await sql`
    insert into billing_lines (developer_id, id, statement_id, n, kind, description, quantity, unit_cents, amount_cents)
    select l.developer_id, ${uuidV7Of(sql`${now}::timestamptz`)}, l.statement_id, l.n, l.kind, l.description, l.quantity, l.unit_cents,
      l.amount_cents
    from jsonb_to_recordset(${json(lines)}) as l (developer_id uuid, statement_id uuid, n int, kind text, description text,
      quantity int, unit_cents bigint, amount_cents bigint)`.execute(tx);
}

/**
 * Takes so many numbers of the month's year. A statement of its own: all developers share the row, so on many machines it is not
 * where their statements are.
 */
async function takeNumbers(tx: BillingHandle, month: string, count: number): Promise<string[]> {
  const series = await numberSeries(tx);
  const year = month.slice(0, 4);
  const { last } = await tx
    .insertInto('billing_numbers')
    .values({ year: Number(year), last: count })
    .onConflict((on) =>
      on.column('year').doUpdateSet((eb) => ({ last: eb('billing_numbers.last', '+', eb.ref('excluded.last')) })),
    )
    .returning('last')
    .executeTakeFirstOrThrow();
  return Array.from({ length: count }, (_, at) => {
    const number = String(last - count + at + 1).padStart(4, '0');
    return `${year}-${series}${number}`;
  });
}
