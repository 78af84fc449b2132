import type { Sql } from '../../../platform/db/database.ts';
import { uuidV7 } from '../../../platform/db/uuid-v7.ts';
import type { Logger } from '../../../platform/log.ts';
import { nextMonth } from '../../../platform/months.ts';
import { type MonthCloser, oneByOne } from '../../closing/index.ts';
import { billOf, isBilled, type MonthBill, planAtStart, planMonths, planOf, usageMonth } from '../../plans/index.ts';
import { type BillLine, billLines } from './bill.ts';

interface Options {
  log: Logger;
  /** Whether statements are collected by card. */
  collects: boolean;
}

/**
 * Makes a developer's billing statement of a month: none when nothing was used and the plan has no fee. A plan with a fee
 * opens the next month, so that each of its months is closed, however late.
 */
export const billingCloser = ({ log, collects }: Options): MonthCloser =>
  oneByOne(async (sql, { developerId, month, now }) => {
    const changes = await planMonths(sql, developerId);
    const bill = billOf(await usageMonth(sql, developerId, month), changes);
    const made = isBilled(bill);
    if (made) {
      const lines = await billLines(sql, developerId, bill, changes);
      if (lines.some(({ unit_cents }) => unit_cents === null))
        log.error({ developer: developerId, month }, 'the prices of a month do not add up to what it has counted');
      await insert(sql, { developerId, now, bill, lines, state: stateOf(bill, collects) });
    }
    const fee = planOf(planAtStart(changes, nextMonth(month))).priceCents;
    return { made: made ? 1 : 0, opensNext: fee > 0 && (await isOpen(sql, developerId)) };
  });

const stateOf = ({ total_cents }: MonthBill, collects: boolean) => {
  if (total_cents === 0) return 'settled';
  return collects ? 'rated' : 'local';
};

async function isOpen(sql: Sql, developerId: string): Promise<boolean> {
  const rows = await sql.query('select 1 from users where id = $1 and deleted_at is null', [developerId]);
  return rows.length > 0;
}

const INSERT = `
  with counter as (
    insert into billing_numbers as c (year, last) values (extract(year from $2::date)::int, 1)
    on conflict (year) do update set last = c.last + 1 returning last
  )
  insert into billing_statements (id, developer_id, month, number, plan, fee_cents, redemptions, overage_redemptions, overage_cents,
    refresh_count, refresh_cents, total_cents, party, closed_at, state, next_attempt_at)
  select ${uuidV7('$3')}, u.id, $2::date, to_char($2::date, 'YYYY') || '-' || lpad(c.last::text, greatest(4, length(c.last::text)), '0'), $4::text, $5::bigint, $6::int,
    $7::int, $8::bigint, $9::int, $10::bigint, $11::bigint,
    jsonb_build_object('name', trim(concat_ws(' ', u.first_name, u.last_name)), 'email', u.email, 'company', nullif(u.company_name, ''),
      'address', nullif(u.business_address, ''), 'tax_id', nullif(u.tax_id, '')),
    $3::timestamptz, $12::text, case when $12 = 'rated' then $3::timestamptz end
  from users u cross join counter c where u.id = $1 returning id`;

const INSERT_LINES = `
  insert into billing_lines (developer_id, id, statement_id, n, kind, description, quantity, unit_cents, amount_cents)
  select $1::uuid, ${uuidV7('$3')}, $2::uuid, l.n, l.kind, l.description, l.quantity, l.unit_cents, l.amount_cents
  from unnest($4::text[], $5::text[], $6::int[], $7::int[], $8::bigint[]) with ordinality as l (kind, description, quantity, unit_cents, amount_cents, n)`;

interface NewStatement {
  developerId: string;
  now: Date;
  bill: MonthBill;
  lines: BillLine[];
  state: string;
}

async function insert(sql: Sql, { developerId, now, bill, lines, state }: NewStatement): Promise<void> {
  const [made] = await sql.query<{ id: string }>(INSERT, [
    developerId,
    bill.month,
    now,
    bill.plan,
    bill.fee_cents,
    bill.redemptions,
    bill.overage_redemptions,
    bill.overage_cents,
    bill.refresh_count,
    bill.refresh_cents,
    bill.total_cents,
    state,
  ]);
  if (!made) throw new Error('there is no account to bill');
  if (lines.length === 0) return;
  await sql.query(INSERT_LINES, [
    developerId,
    made.id,
    now,
    lines.map(({ kind }) => kind),
    lines.map(({ description }) => description),
    lines.map(({ quantity }) => quantity),
    lines.map(({ unit_cents }) => unit_cents),
    lines.map(({ amount_cents }) => amount_cents),
  ]);
}
