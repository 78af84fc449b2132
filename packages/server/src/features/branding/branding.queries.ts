import { sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import type { Columns } from '#platform/db/tables.ts';
import { acrossTenants, joinShared } from '#platform/db/tenant.ts';
import type { Pointing } from '#platform/network/dns.ts';
import { type BrandingDb, type BrandingHandle, tables } from './tables.ts';

type Settings = Columns<
  'users',
  | 'company_name'
  | 'logo_url'
  | 'brand_color'
  | 'dark_mode'
  | 'support_email'
  | 'support_url'
  | 'send_customer_emails'
  | 'notify_redemptions'
  | 'notify_low_serials'
  | 'notify_webhook_fail'
  | 'notify_announcements'
>;

export interface BrandingRow extends Settings {
  user_id: string;
  custom_domain: string | null;
  domain_verified: boolean;
  /** The developer has deleted their account. */
  closed: boolean;
  /** They have published an unlock for good for everyone. */
  unlocked: boolean;
}

const branding = tables.named(
  'branding',
  (_, developerId: string) => sql<BrandingRow>`
    select u.id as user_id, u.company_name, u.logo_url, u.brand_color, u.dark_mode, u.support_email, u.support_url,
      u.send_customer_emails, u.notify_redemptions, u.notify_low_serials, u.notify_webhook_fail,
      u.notify_announcements, d.host as custom_domain, d.verified_at is not null as domain_verified,
      u.deleted_at is not null as closed,
      exists (select from product_unlocks k where k.developer_id = ${developerId} and k.audience = 'everyone') as unlocked
    from users u left join custom_domains d on d.developer_id = u.id
    where u.id = ${developerId} and u.role = 'developer'`,
);

export async function findBranding(handle: Sql, developerId: string): Promise<BrandingRow | undefined> {
  return (await branding(handle, developerId))[0];
}

const verified = tables.named('verified_domain', (begin, host: string) =>
  begin
    .selectFrom('custom_domains as d')
    .$call(joinShared('users as u', 'u.id', 'd.developer_id'))
    .select('d.developer_id')
    .where('d.host', '=', host)
    .where('d.verified_at', 'is not', null)
    .where('u.deleted_at', 'is', null),
);

/** Whose verified domain a host is. */
export async function ownerOfHost(handle: Sql, host: string): Promise<string | null> {
  return (await verified(handle, host))[0]?.developer_id ?? null;
}

export interface Check {
  pointing: Pointing;
  now: Date;
  /** A proof from before then is old. */
  cutoff: Date;
}

/** When a verification remains valid although DNS disagrees: see Domains. */
const still = (cutoff: Date) =>
  sql<boolean>`(custom_domains.verified_at > ${cutoff} or custom_domains.checked_at <= custom_domains.verified_at)`;

/** Records who claims a host and what DNS returned for it. Returns whether it is verified. */
export async function putDomain(
  handle: BrandingHandle,
  domain: { id: string; developerId: string; host: string },
  { pointing, now, cutoff }: Check,
): Promise<boolean> {
  // only the row is left of an account that is gone, and that must not keep the host
  await sql`delete from custom_domains d using users u
    where u.id = d.developer_id and u.deleted_at is not null and d.host = ${domain.host}`.execute(handle);
  const known = pointing === 'unknown' ? sql<boolean>`true` : still(cutoff);
  const before = sql<Date | null>`case when custom_domains.host = excluded.host and ${known} then custom_domains.verified_at end`;
  const row = await handle
    .insertInto('custom_domains')
    .values({
      id: domain.id,
      developer_id: domain.developerId,
      host: domain.host,
      created_at: now,
      checked_at: now,
      verified_at: pointing === 'here' ? now : null,
    })
    .onConflict((on) =>
      on.column('developer_id').doUpdateSet({
        host: domain.host,
        created_at: now,
        checked_at: now,
        verified_at: pointing === 'here' ? now : before,
      }),
    )
    .returning('verified_at')
    .executeTakeFirstOrThrow();
  return row.verified_at !== null;
}

/** Verified hosts whose last check is an hour old, and others that have not waited for too long. */
export function dueDomains(db: BrandingDb, due: { checkedBefore: Date; waitingSince: Date; most: number }) {
  return db
    .selectFrom('custom_domains as d')
    .$call(joinShared('users as u', 'u.id', 'd.developer_id'))
    .select(['d.id', 'd.host'])
    .where('u.deleted_at', 'is', null)
    .where(
      sql<boolean>`case when d.verified_at is null then d.created_at > ${due.waitingSince} else d.checked_at <= ${due.checkedBefore} end`,
    )
    .orderBy('d.checked_at')
    .limit(due.most)
    .execute();
}

export type DueDomain = Awaited<ReturnType<typeof dueDomains>>[number];

/** Records a recheck. A host that is lost waits for its DNS from now on. */
export async function noteCheck(db: BrandingDb, domain: DueDomain, { pointing, now, cutoff }: Check): Promise<void> {
  const keeps = still(cutoff);
  await db
    .updateTable('custom_domains')
    .set({ checked_at: now })
    .$if(pointing === 'here', (all) => all.set({ verified_at: now }))
    .$if(pointing === 'elsewhere', (all) =>
      all.set({
        verified_at: sql<Date | null>`case when ${keeps} then verified_at end`,
        created_at: sql<Date>`case when verified_at is not null and not ${keeps} then ${now}::timestamptz else created_at end`,
      }),
    )
    .where('id', '=', domain.id)
    .where('host', '=', domain.host)
    .execute();
}

/** Some verified domains, and how many there are. */
export async function someHosts(db: BrandingDb, most: number): Promise<{ hosts: string[]; total: number }> {
  const rows = await db
    .selectFrom('custom_domains')
    .select(({ fn }) => ['host', fn.countAll<number>().over().as('total')])
    .where('verified_at', 'is not', null)
    .orderBy('checked_at')
    .orderBy('host')
    .limit(most)
    .modifyEnd(acrossTenants('the installation is examined'))
    .execute();
  return { hosts: rows.map(({ host }) => host), total: rows[0]?.total ?? 0 };
}

export const removeDomain = (tx: BrandingHandle, developerId: string) =>
  tx.deleteFrom('custom_domains').where('developer_id', '=', developerId).returning('host').executeTakeFirst();

/** A host, if it is the developer's. */
export const findDomain = (handle: BrandingHandle, developerId: string, host: string) =>
  handle
    .selectFrom('custom_domains')
    .select('verified_at')
    .where('developer_id', '=', developerId)
    .where('host', '=', host)
    .executeTakeFirst();
