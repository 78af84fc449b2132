import { sql } from 'kysely';
import { joinShared } from '#platform/db/tenant.ts';
import { type AccountsDb, tables } from '../tables.ts';

/** Columns of a credential's account `u`. */
const ACCOUNT = ['u.role', 'u.is_admin', 'u.time_zone'] as const;
const EMAIL_VERIFIED = sql<boolean>`u.email_verified_at is not null`.as('email_verified');

/** A session that has not ended, with its account. */
export const findSession = tables.named('session', (begin, id: string, now: Date) =>
  begin
    .selectFrom('sessions as s')
    .$call(joinShared('users as u', 'u.id', 's.user_id'))
    .select(['s.id', 's.user_id', 's.expires_at', 's.last_seen_at', ...ACCOUNT])
    .select(EMAIL_VERIFIED)
    .where('s.id', '=', id)
    .where('s.expires_at', '>', now)
    .where('u.deleted_at', 'is', null),
);

/** An access token that has not expired, with its account. */
export const findAccessToken = tables.named('access_token', (begin, hash: Buffer, now: Date) =>
  begin
    .selectFrom('access_tokens as t')
    .$call(joinShared('users as u', 'u.id', 't.user_id'))
    .select(['t.id', 't.user_id', 't.expires_at', 't.last_used_at', 't.scopes', ...ACCOUNT])
    .select(EMAIL_VERIFIED)
    .where('t.token_hash', '=', hash)
    .where((eb) => eb.or([eb('t.expires_at', 'is', null), eb('t.expires_at', '>', now)]))
    .where('u.deleted_at', 'is', null),
);

export type SessionRow = Awaited<ReturnType<typeof findSession>>[number];
export type AccessTokenRow = Awaited<ReturnType<typeof findAccessToken>>[number];

export async function touchSession(db: AccountsDb, id: string, now: Date, expires: Date): Promise<void> {
  await db.updateTable('sessions').set({ last_seen_at: now, expires_at: expires }).where('id', '=', id).execute();
}

export async function touchAccessToken(db: AccountsDb, id: string, now: Date): Promise<void> {
  await db.updateTable('access_tokens').set({ last_used_at: now }).where('id', '=', id).execute();
}
