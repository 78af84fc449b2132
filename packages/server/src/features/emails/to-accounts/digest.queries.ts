import { sql } from 'kysely';
import { nameOf } from '#features/accounts';
import { DAY } from '#platform/clock.ts';
import { inList } from '#platform/db/statements/list-index.ts';
import type { Columns } from '#platform/db/tables.ts';
import { ofTenants, ownJoin } from '#platform/db/tenant.ts';
import { dayOf, startOfDay } from '#platform/time/days.ts';
import type { EmailsDb, EmailsHandle } from '../tables.ts';
import type { Digest, ResellerDigest } from './redemption-emails.ts';

const MOST_PRODUCTS = 20;
/** How many days a digest catches up on: after a year without emails it does not cover the whole year. */
const MOST_DAYS = 7;

/** The last midnight of account `u`. */
const midnight = (now: Date) =>
  sql<Date>`(date_trunc('day', ${now}::timestamptz at time zone u.time_zone) at time zone u.time_zone)`;

/** Accounts for which it is past eight in the morning, and which have had no email today. */
const selectDue = (handle: EmailsHandle, now: Date) =>
  handle
    .selectFrom('users as u')
    .where('u.deleted_at', 'is', null)
    .where('u.notify_redemptions', 'is', true)
    .where('u.redemption_emails', '=', 'daily')
    .where(sql<boolean>`extract(hour from ${now}::timestamptz at time zone u.time_zone) = 8`)
    .where((eb) => eb.or([eb('u.digested_until', 'is', null), eb('u.digested_until', '<', midnight(now))]));

export async function findDue(db: EmailsDb, now: Date): Promise<string[]> {
  const rows = await selectDue(db, now).select('u.id').execute();
  return rows.map(({ id }) => id);
}

/** An account until the transaction ends; undefined when another worker was faster. */
export function holdDue(tx: EmailsHandle, id: string, now: Date) {
  return selectDue(tx, now)
    .select(['u.role', 'u.email', 'u.time_zone', 'u.digested_until', midnight(now).as('midnight')])
    .where('u.id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export async function noteDigested(tx: EmailsHandle, id: string, until: Date): Promise<void> {
  await sql`update users set digested_until = ${until} where id = ${id}`.execute(tx);
}

interface Due {
  time_zone: string;
  /** The end of what earlier digests covered. */
  digested_until: Date | null;
  /** The end of this one. */
  midnight: Date;
}

interface Period {
  from: Date;
  to: Date;
  /** As text, such as `on 9 March 2026`. */
  when: string;
}

/** The period from the end of the last digest to the account's last midnight; without a digest, the day before it. */
export function periodOf({ midnight, time_zone: timeZone, digested_until }: Due): Period {
  const lastMoment = new Date(midnight.getTime() - 1);
  const daysBack = (days: number) => startOfDay(dayOf(new Date(lastMoment.getTime() - days * DAY), timeZone), timeZone);
  const since = digested_until ?? daysBack(0);
  const from = new Date(Math.max(since.getTime(), daysBack(MOST_DAYS - 1).getTime()));
  const words = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone });
  const [first, last] = [words.format(from), words.format(lastMoment)];
  return { from, to: midnight, when: first === last ? `on ${last}` : `from ${first} to ${last}` };
}

interface Row extends Columns<'products', 'name'> {
  developer: string;
  n: number;
  cents: number;
  commission: number;
  all_n: number;
  all_cents: number;
  all_commission: number;
  kinds: number;
}

const sums = sql`count(*) as n, sum(r.final_price_cents)::int8 as cents, sum(r.commission_cents)::int8 as commission, count(*) over () as kinds,
  (sum(count(*)) over ())::int8 as all_n, (sum(sum(r.final_price_cents)) over ())::int8 as all_cents,
  (sum(sum(r.commission_cents)) over ())::int8 as all_commission`;

/** A developer's redemptions, by product. */
export async function developerDigest(
  tx: EmailsHandle,
  developerId: string,
  { from, to, when }: Period,
): Promise<Digest> {
  const { rows } = await sql<Omit<Row, 'developer'>>`
    select p.name, ${sums} from redemptions r ${ownJoin('products as p', 'p.id', 'r.product_id')}
    where r.developer_id = ${developerId} and ${inList('r.redeemed_at')} and r.redeemed_at >= ${from} and r.redeemed_at < ${to}
      and r.source <> 'import'
    group by p.id, p.name order by n desc, cents desc, p.name limit ${sql.lit(MOST_PRODUCTS)}`.execute(tx);
  return { ...totalsOf(rows, when), products: rows.map(productOf) };
}

/** The redemptions of serials that a reseller sold, by product, over all developers. */
export async function resellerDigest(tx: EmailsHandle, resellerId: string, period: Period): Promise<ResellerDigest> {
  const sellsFor = await tx
    .selectFrom('reseller_developers')
    .select('developer_id')
    .where('reseller_id', '=', resellerId)
    .execute();
  const developers = sellsFor.map(({ developer_id }) => developer_id);
  const { rows } = await sql<Row>`
    select p.name, ps.name as developer, ${sums}
    from (
      select s.developer_id, s.id, ${nameOf('u')} as name
      from partnerships s join users u on u.id = s.developer_id
      where s.reseller_id = ${resellerId} and ${ofTenants('s', developers)}
    ) ps
    ${ownJoin('redemptions as r', 'r.partnership_id', 'ps.id')}
    ${ownJoin('products as p', 'p.id', 'r.product_id')}
    where ${ofTenants('r', developers)} and r.redeemed_at >= ${period.from} and r.redeemed_at < ${period.to} and r.source <> 'import'
    group by p.id, p.name, ps.name order by n desc, commission desc, p.name limit ${sql.lit(MOST_PRODUCTS)}`.execute(
    tx,
  );
  return {
    ...totalsOf(rows, period.when),
    commissionCents: rows[0]?.all_commission ?? 0,
    products: rows.map((row) => ({
      ...productOf(row),
      developer: row.developer,
      commissionCents: row.commission,
    })),
  };
}

const totalsOf = (rows: Omit<Row, 'developer'>[], when: string) => ({
  when,
  redemptions: rows[0]?.all_n ?? 0,
  revenueCents: rows[0]?.all_cents ?? 0,
  productCount: rows[0]?.kinds ?? 0,
});

const productOf = ({ name, n, cents }: Omit<Row, 'developer'>) => ({ name, redemptions: n, revenueCents: cents });
