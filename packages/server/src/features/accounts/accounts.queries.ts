import type { Role, Scope } from '../../platform/access/access.ts';
import type { Database, Prepared } from '../../platform/db/database.ts';

interface CredentialRow {
  id: string;
  user_id: string;
  expires_at: Date | null;
  scopes: Scope[] | null;
  role: Role;
  is_admin: boolean;
  time_zone: string;
  last_seen_at: Date | null;
}

const SESSION: Prepared = {
  name: 'session',
  text: `select s.id, s.user_id, s.expires_at, null as scopes, u.role, u.is_admin, u.time_zone, s.last_seen_at
    from sessions s join users u on u.id = s.user_id
    where s.id = $1 and s.expires_at > $2 and u.deleted_at is null`,
};

const ACCESS_TOKEN: Prepared = {
  name: 'access_token',
  text: `select t.id, t.user_id, t.expires_at, t.scopes, u.role, u.is_admin, u.time_zone, t.last_used_at as last_seen_at
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
