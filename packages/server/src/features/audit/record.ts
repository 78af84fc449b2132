import { sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import { uuidV7Of } from '#platform/db/statements/uuid-v7.ts';
import { currentWork } from '#platform/work-context.ts';
import type { AuditAction } from './actions.ts';
import { tables } from './tables.ts';

const LONGEST = 300;

/** A text or a uuid that may be missing. */
type Maybe = string | null;

const record = tables.named(
  'record',
  (
    _,
    account: string,
    at: Date,
    action: AuditAction,
    detail: Maybe,
    object: Maybe,
    via: Maybe,
    token: Maybe,
    ip: Maybe,
    agent: Maybe,
  ) => sql<never>`
    insert into audit_events (account_id, id, at, action, detail, object_id, via, token_name, ip, user_agent)
    select ${account}::uuid, ${uuidV7Of(sql`${at}::timestamptz`)}, ${at}::timestamptz, ${action}::text, ${detail}::text,
      ${object}::uuid, ${via}::text,
      (select t.name from access_tokens t where t.user_id = ${account}::uuid and t.id = ${token}::uuid), ${ip}::text, ${agent}::text`,
);

export interface Audited {
  action: AuditAction;
  at: Date;
  /** What it was about, in a few words: never an address or a code. */
  detail?: string | null;
  objectId?: string | null;
}

/**
 * Writes into an account's audit log, in the transaction of the act, so that neither is without the other. Who and from where
 * is what the running request shows.
 */
export async function recordAudit(
  handle: Sql,
  accountId: string,
  { action, at, detail, objectId }: Audited,
): Promise<void> {
  const { origin } = currentWork();
  // somebody else's credential is none of this account's business
  const own = origin?.credential?.accountId === accountId ? origin.credential : undefined;
  const via = own?.kind === 'plugin_key' ? null : own?.kind;
  await record(
    handle,
    accountId,
    at,
    action,
    detail?.slice(0, LONGEST) ?? null,
    objectId ?? null,
    via ?? null,
    own?.kind === 'access_token' ? own.id : null,
    origin?.ip ?? null,
    origin?.userAgent?.slice(0, LONGEST) ?? null,
  );
}
