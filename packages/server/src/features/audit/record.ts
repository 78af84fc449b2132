import type { Sql } from '#platform/db/database.ts';
import { uuidV7 } from '#platform/db/statements/uuid-v7.ts';
import { currentWork } from '#platform/work-context.ts';
import type { AuditAction } from './actions.ts';

const LONGEST = 300;

export interface Audited {
  action: AuditAction;
  at: Date;
  /** Of what, in a few words: never an address or a code. */
  detail?: string | null;
  objectId?: string | null;
}

/**
 * Writes into an account's audit log, in the transaction of the act, so that neither is without the other. Who and from where
 * is what the running request shows.
 */
export async function recordAudit(
  sql: Sql,
  accountId: string,
  { action, at, detail, objectId }: Audited,
): Promise<void> {
  const { origin } = currentWork();
  // somebody else's credential is none of this account's business
  const own = origin?.credential?.userId === accountId ? origin.credential : undefined;
  const via = own?.kind === 'plugin_key' ? null : own?.kind;
  await sql.query(
    `insert into audit_events (account_id, id, at, action, detail, object_id, via, token_name, ip, user_agent)
     select $1::uuid, ${uuidV7('$2')}, $2::timestamptz, $3::text, $4::text, $5::uuid, $6::text,
       (select t.name from access_tokens t where t.user_id = $1::uuid and t.id = $7::uuid), $8::text, $9::text`,
    [
      accountId,
      at,
      action,
      detail?.slice(0, LONGEST) ?? null,
      objectId ?? null,
      via ?? null,
      own?.kind === 'access_token' ? own.id : null,
      origin?.ip ?? null,
      origin?.userAgent?.slice(0, LONGEST) ?? null,
    ],
  );
}
