import { DAY } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { listOf } from '#platform/db/statements/list-index.ts';
import { dayOf, startOfDay } from '#platform/time/days.ts';
import type { Digest, ResellerDigest } from './redemption-emails.ts';

const MOST_PRODUCTS = 20;
/** How many days a digest catches up on: after a year without emails it does not cover the whole year. */
const MOST_DAYS = 7;

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

/** From the end of the last digest to the account's last midnight; without one, the day before it. */
export function periodOf({ midnight, time_zone: timeZone, digested_until }: Due): Period {
  const lastMoment = new Date(midnight.getTime() - 1);
  const daysBack = (days: number) => startOfDay(dayOf(new Date(lastMoment.getTime() - days * DAY), timeZone), timeZone);
  const since = digested_until ?? daysBack(0);
  const from = new Date(Math.max(since.getTime(), daysBack(MOST_DAYS - 1).getTime()));
  const words = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone });
  const [first, last] = [words.format(from), words.format(lastMoment)];
  return { from, to: midnight, when: first === last ? `on ${last}` : `from ${first} to ${last}` };
}

interface Row {
  name: string;
  developer: string;
  n: number;
  cents: number;
  commission: number;
  all_n: number;
  all_cents: number;
  all_commission: number;
  kinds: number;
}

const SUMS = `count(*) as n, sum(r.final_price_cents)::int8 as cents, sum(r.commission_cents)::int8 as commission, count(*) over () as kinds,
  (sum(count(*)) over ())::int8 as all_n, (sum(sum(r.final_price_cents)) over ())::int8 as all_cents,
  (sum(sum(r.commission_cents)) over ())::int8 as all_commission`;

/** A developer's redemptions, by product. */
export async function developerDigest(sql: Sql, developerId: string, { from, to, when }: Period): Promise<Digest> {
  const rows = await sql.query<Row>(
    `select p.name, ${SUMS} from redemptions r join products p on (p.developer_id, p.id) = (r.developer_id, r.product_id)
     where r.developer_id = $1 and ${listOf('r', 'redeemed_at')} and r.redeemed_at >= $2 and r.redeemed_at < $3
       and r.source <> 'import'
     group by p.id, p.name order by n desc, cents desc, p.name limit $4`,
    [developerId, from, to, MOST_PRODUCTS],
  );
  return { ...totalsOf(rows, when), products: rows.map(productOf) };
}

/** The redemptions of serials that a reseller sold, by product, over all developers. */
export async function resellerDigest(sql: Sql, resellerId: string, period: Period): Promise<ResellerDigest> {
  const rows = await sql.query<Row>(
    `/* across tenants: a reseller works with many developers */
     select p.name, ps.name as developer, ${SUMS}
     from (
       select s.developer_id, s.id, coalesce(nullif(u.company_name, ''), concat_ws(' ', u.first_name, u.last_name)) as name
       from partnerships s join users u on u.id = s.developer_id where s.reseller_id = $1
     ) ps
     join redemptions r on r.developer_id = ps.developer_id and r.partnership_id = ps.id
     join products p on (p.developer_id, p.id) = (r.developer_id, r.product_id)
     where r.redeemed_at >= $2 and r.redeemed_at < $3 and r.source <> 'import'
     group by p.id, p.name, ps.name order by n desc, commission desc, p.name limit $4`,
    [resellerId, period.from, period.to, MOST_PRODUCTS],
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

const totalsOf = (rows: Row[], when: string) => ({
  when,
  redemptions: rows[0]?.all_n ?? 0,
  revenueCents: rows[0]?.all_cents ?? 0,
  productCount: rows[0]?.kinds ?? 0,
});

const productOf = ({ name, n, cents }: Row) => ({ name, redemptions: n, revenueCents: cents });
