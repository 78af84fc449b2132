import type { Database, Prepared, Sql } from '#platform/db/database.ts';
import type { Pointing } from '#platform/network/dns.ts';

export interface BrandingRow {
  user_id: string;
  company_name: string | null;
  logo_url: string | null;
  brand_color: string;
  dark_mode: boolean;
  support_email: string | null;
  support_url: string | null;
  send_customer_emails: boolean;
  notify_redemptions: boolean;
  notify_low_serials: boolean;
  notify_webhook_fail: boolean;
  notify_announcements: boolean;
  custom_domain: string | null;
  domain_verified: boolean;
  /** The developer has deleted their account. */
  closed: boolean;
}

const BRANDING: Prepared = {
  name: 'branding',
  text: `select u.id as user_id, u.company_name, u.logo_url, u.brand_color, u.dark_mode, u.support_email, u.support_url,
      u.send_customer_emails, u.notify_redemptions, u.notify_low_serials, u.notify_webhook_fail,
      u.notify_announcements, d.host as custom_domain, d.verified_at is not null as domain_verified,
      u.deleted_at is not null as closed
    from users u left join custom_domains d on d.developer_id = u.id
    where u.id = $1 and u.role = 'developer'`,
};

export async function findBranding(db: Database, developerId: string): Promise<BrandingRow | undefined> {
  return (await db.prepared<BrandingRow>(BRANDING, [developerId]))[0];
}

const VERIFIED: Prepared = {
  name: 'verified_domain',
  text: `select d.developer_id from custom_domains d join users u on u.id = d.developer_id
    where d.host = $1 and d.verified_at is not null and u.deleted_at is null`,
};

/** Whose verified domain a host is. */
export async function ownerOfHost(db: Database, host: string): Promise<string | null> {
  return (await db.prepared<{ developer_id: string }>(VERIFIED, [host]))[0]?.developer_id ?? null;
}

export interface Check {
  pointing: Pointing;
  now: Date;
  /** A proof from before then is old. */
  cutoff: Date;
}

// see Domains: when a verification remains valid although DNS disagrees
const STILL = `(d.verified_at > $5 or d.checked_at <= d.verified_at)`;

/** Records who claims a host and what DNS returned for it. Returns whether it is verified. */
export async function putDomain(
  sql: Sql,
  domain: { id: string; developerId: string; host: string },
  { pointing, now, cutoff }: Check,
): Promise<boolean> {
  // of an account that is gone only the row is left, and that must not keep the host
  await sql.query(
    'delete from custom_domains d using users u where u.id = d.developer_id and u.deleted_at is not null and d.host = $1',
    [domain.host],
  );
  const [row] = await sql.query<{ verified: boolean }>(
    `insert into custom_domains as d (id, developer_id, host, created_at, checked_at, verified_at)
     values ($1, $2, $3, $4, $4, case when $6 = 'here' then $4::timestamptz end)
     on conflict (developer_id) do update set host = excluded.host, created_at = $4, checked_at = $4,
       verified_at = case
         when $6 = 'here' then $4
         when d.host = excluded.host and ($6 = 'unknown' or ${STILL}) then d.verified_at end
     returning verified_at is not null as verified`,
    [domain.id, domain.developerId, domain.host, now, cutoff, pointing],
  );
  return row?.verified ?? false;
}

export interface DueDomain {
  id: string;
  host: string;
}

/** Verified hosts whose last check is an hour old, and others that have not waited for too long. */
export async function dueDomains(
  sql: Sql,
  due: { checkedBefore: Date; waitingSince: Date; most: number },
): Promise<DueDomain[]> {
  return sql.query<DueDomain>(
    `select d.id, d.host from custom_domains d join users u on u.id = d.developer_id
     where u.deleted_at is null and case when d.verified_at is null then d.created_at > $2 else d.checked_at <= $1 end
     order by d.checked_at limit $3`,
    [due.checkedBefore, due.waitingSince, due.most],
  );
}

/** Records a recheck. A host that is lost waits for its DNS from now on. */
export async function noteCheck(sql: Sql, domain: DueDomain, { pointing, now, cutoff }: Check): Promise<void> {
  await sql.query(
    `update custom_domains d set checked_at = $3,
       verified_at = case when $4 = 'here' then $3 when $4 = 'unknown' or ${STILL} then d.verified_at end,
       created_at = case when $4 = 'elsewhere' and d.verified_at is not null and not ${STILL} then $3 else created_at end
     where id = $1 and host = $2`,
    [domain.id, domain.host, now, pointing, cutoff],
  );
}
