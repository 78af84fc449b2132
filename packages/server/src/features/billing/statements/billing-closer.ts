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
import type { Sql } from '#platform/db/database.ts';
import { uuidV7 } from '#platform/db/statements/uuid-v7.ts';
import type { Logger } from '#platform/log.ts';
import { NUMBER_SERIES } from '#platform/operations/restores.ts';
import { nextMonth } from '#platform/time/months.ts';
import { type BillLine, billLines } from './bill.ts';

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
  async (sql, { developerIds, month, now }) => {
    const changes = await planMonthsOf(sql, developerIds);
    const usage = await usageMonthOf(sql, developerIds, month);
    const open = await openAccounts(sql, developerIds);
    const made = new Map<string, MadeOf>();
    const statements: NewStatement[] = [];
    for (const developerId of developerIds) {
      const own = changes.get(developerId) ?? [];
      const bill = billOf(usage.get(developerId) ?? nothingUsed(month), own);
      const billed = isBilled(bill);
      if (billed) {
        const lines = await billLines(sql, developerId, bill, own);
        if (lines.some(({ unit_cents }) => unit_cents === null))
          log.error({ developer: developerId, month }, 'the prices of a month do not add up to what it has counted');
        statements.push({ developerId, bill, lines, state: stateOf(bill, collects) });
      }
      const fee = planOf(planAtStart(own, nextMonth(month))).priceCents;
      made.set(developerId, { made: billed ? 1 : 0, opensNext: fee > 0 && open.has(developerId) });
    }
    if (statements.length > 0) await insert(sql, statements, { month, now });
    return made;
  };

const stateOf = ({ total_cents }: MonthBill, collects: boolean) => {
  if (total_cents === 0) return 'settled';
  return collects ? 'rated' : 'local';
};

/** Of some developers, those whose account is not deleted. */
async function openAccounts(sql: Sql, developerIds: readonly string[]): Promise<Set<string>> {
  const rows = await sql.query<{ id: string }>(
    'select id from users where id = any($1::uuid[]) and deleted_at is null',
    [developerIds],
  );
  return new Set(rows.map(({ id }) => id));
}

/** $1 the statements, in the order of their numbers, $2 the month's first day, $3 now. */
const INSERT = `
  with bills as (
    select * from jsonb_to_recordset($1::jsonb) as b (n int, developer_id uuid, plan text, fee_cents bigint, redemptions int,
      overage_redemptions int, overage_cents bigint, refresh_count int, refresh_cents bigint, total_cents bigint, state text)
  ), total as (
    select count(*)::int as n from bills
  ), counter as (
    insert into billing_numbers as c (year, last) select extract(year from $2::date)::int, n from total
    on conflict (year) do update set last = c.last + excluded.last returning last
  ), numbered as (
    select b.*, (c.last - t.n + b.n)::text as number from bills b cross join counter c cross join total t
  )
  insert into billing_statements (id, developer_id, month, number, plan, fee_cents, redemptions, overage_redemptions, overage_cents,
    refresh_count, refresh_cents, total_cents, party, closed_at, state, next_attempt_at)
  select ${uuidV7('$3')}, u.id, $2::date, to_char($2::date, 'YYYY') || '-' || ${NUMBER_SERIES} || lpad(b.number, greatest(4, length(b.number)), '0'), b.plan,
    b.fee_cents, b.redemptions, b.overage_redemptions, b.overage_cents, b.refresh_count, b.refresh_cents, b.total_cents,
    jsonb_build_object('name', trim(concat_ws(' ', u.first_name, u.last_name)), 'email', u.email, 'company', nullif(u.company_name, ''),
      'address', nullif(u.business_address, ''), 'tax_id', nullif(u.tax_id, '')),
    $3::timestamptz, b.state, case when b.state = 'rated' then $3::timestamptz end
  from numbered b join users u on u.id = b.developer_id order by b.n returning id, developer_id`;

const INSERT_LINES = `
  insert into billing_lines (developer_id, id, statement_id, n, kind, description, quantity, unit_cents, amount_cents)
  select l.developer_id, ${uuidV7('$2')}, l.statement_id, l.n, l.kind, l.description, l.quantity, l.unit_cents, l.amount_cents
  from jsonb_to_recordset($1::jsonb) as l (developer_id uuid, statement_id uuid, n int, kind text, description text, quantity int,
    unit_cents bigint, amount_cents bigint)`;

interface NewStatement {
  developerId: string;
  bill: MonthBill;
  lines: BillLine[];
  state: string;
}

/** All together, so that the row of numbers, which every close needs, is held for two statements of SQL only. */
async function insert(
  sql: Sql,
  statements: readonly NewStatement[],
  { month, now }: { month: string; now: Date },
): Promise<void> {
  const bills = statements.map(({ developerId, bill, state }, at) => ({
    n: at + 1,
    developer_id: developerId,
    ...bill,
    state,
  }));
  const rows = await sql.query<{ id: string; developer_id: string }>(INSERT, [JSON.stringify(bills), month, now]);
  if (rows.length < statements.length) throw new Error('there is no account to bill');
  const ids = new Map(rows.map(({ id, developer_id }) => [developer_id, id]));
  const lines = statements.flatMap(({ developerId, lines: own }) =>
    own.map((line, at) => ({ ...line, n: at + 1, developer_id: developerId, statement_id: ids.get(developerId) })),
  );
  if (lines.length > 0) await sql.query(INSERT_LINES, [JSON.stringify(lines), now]);
}
