import type { Role, Scope } from '#platform/access/access.ts';
import type { Database, Prepared } from '#platform/db/database.ts';

interface CredentialRow {
  id: string;
  user_id: string;
  expires_at: Date | null;
  scopes: Scope[] | null;
  role: Role;
  is_admin: boolean;
  email_verified: boolean;
  time_zone: string;
  last_seen_at: Date | null;
}

const SESSION: Prepared = {
  name: 'session',
  text: `select s.id, s.user_id, s.expires_at, null as scopes, u.role, u.is_admin,
      u.email_verified_at is not null as email_verified, u.time_zone, s.last_seen_at
    from sessions s join users u on u.id = s.user_id
    where s.id = $1 and s.expires_at > $2 and u.deleted_at is null`,
};

const ACCESS_TOKEN: Prepared = {
  name: 'access_token',
  text: `select t.id, t.user_id, t.expires_at, t.scopes, u.role, u.is_admin,
      u.email_verified_at is not null as email_verified, u.time_zone, t.last_used_at as last_seen_at
    from access_tokens t join users u on u.id = t.user_id
    where t.token_hash = $1 and (t.expires_at is null or t.expires_at > $2) and u.deleted_at is null`,
};

export async function findSession(db: Database, id: string, now: Date): Promise<CredentialRow | undefined> {
  return (await db.prepared<CredentialRow>(SESSION, [id, now]))[0];
}

export async function findAccessToken(db: Database, hash: Buffer, now: Date): Promise<CredentialRow | undefined> {
  return (await db.prepared<CredentialRow>(ACCESS_TOKEN, [hash, now]))[0];
}

export async function touchSession(db: Database, id: string, now: Date, expires: Date): Promise<void> {
  await db.query('update sessions set last_seen_at = $2, expires_at = $3 where id = $1', [id, now, expires]);
}

export async function touchAccessToken(db: Database, id: string, now: Date): Promise<void> {
  await db.query('update access_tokens set last_used_at = $2 where id = $1', [id, now]);
}

export const INSERT_USER = `
  insert into users (id, role, email, email_key, password_hash, first_name, last_name, company_name, website_url,
    support_email, support_url, business_address, tax_id, brand_color, logo_url, created_at,
    email_verified_at, time_zone)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
  on conflict (email_key) do nothing returning id`;

/** What is personal goes; the row stays, because the ledger points at it. */
export const ANONYMISE_USER = `
  update users set email = 'deleted', email_key = null, email_verified_at = null, password_hash = null, first_name = '', last_name = '',
    company_name = null, website_url = null, support_email = null, support_url = null, business_address = null,
    tax_id = null, logo_url = null, is_admin = false, two_factor_secret = null, two_factor_since = null,
    two_factor_step = null, deleted_at = $2
  where id = $1`;
