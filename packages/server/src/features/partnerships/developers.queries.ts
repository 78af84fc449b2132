import type { Sql } from '../../platform/db/database.ts';
import { escapeLike } from '../../platform/db/like.ts';
import { listOf } from '../../platform/db/list-index.ts';
import { toDollars } from '../../platform/money.ts';
import { accountNameOrClosed } from '../accounts/index.ts';
import type { ListDevelopersQuery, PartnerDeveloper, PartnerProduct } from './partnerships.schemas.ts';
import { SUMS, TOTALS } from './totals.ts';

const MOST_SHOWN = 500;

const name = accountNameOrClosed('u');
/** Of a developer they no longer work with, a reseller sees the name alone. */
const open = (column: string) => `case when p.status <> 'ended' then u.${column} end`;

const DEVELOPERS = `
  select p.developer_id as id, p.id as partnership_id, ${name} as name, ${name} as company_name,
    ${open('logo_url')} as logo_url, ${open('first_name')} as first_name, ${open('last_name')} as last_name,
    ${open('email')} as email, ${open('website_url')} as website, ${open('business_address')} as business_address,
    ${open('tax_id')} as tax_id, p.commission_bps / 100.0::float8 as commission_rate, p.status,
    coalesce(p.connected_at, p.created_at) as since, p.ended_at, ${TOTALS}
  from partnerships p join users u on u.id = p.developer_id
    left join ${SUMS}
  where p.reseller_id = $1 and p.merged_into is null`;

/** The developers of a reseller by name, at most 500. */
export function listDevelopers(
  sql: Sql,
  resellerId: string,
  { status, search }: ListDevelopersQuery,
): Promise<PartnerDeveloper[]> {
  return sql.query<PartnerDeveloper>(
    `/* across tenants: a reseller works with many developers */
     ${DEVELOPERS} and case when $2::text is null then p.status <> 'ended' else p.status = $2 end
       and ($3::text is null or ${name} ilike $3)
     order by lower(${name}), p.id limit ${MOST_SHOWN}`,
    [resellerId, status ?? null, search ? `%${escapeLike(search)}%` : null],
  );
}

/** Undefined unless the two work together: an ended partnership looks like none. */
export async function findDeveloper(
  sql: Sql,
  resellerId: string,
  developerId: string,
): Promise<PartnerDeveloper | undefined> {
  const [found] = await sql.query<PartnerDeveloper>(`${DEVELOPERS} and p.developer_id = $2 and p.status <> 'ended'`, [
    resellerId,
    developerId,
  ]);
  return found;
}

/** What the developer offers to resellers, by name. */
export async function publishedProducts(sql: Sql, developerId: string): Promise<PartnerProduct[]> {
  const rows = await sql.query<Omit<PartnerProduct, 'price'> & { price_cents: number }>(
    `select p.id, p.name, p.image_url, p.price_cents from products p
     where p.developer_id = $1 and ${listOf('p')} and p.deleted_at is null and not p.is_draft
     order by p.name_key limit ${MOST_SHOWN}`,
    [developerId],
  );
  return rows.map(({ price_cents, ...product }) => ({ ...product, price: toDollars(price_cents) }));
}
