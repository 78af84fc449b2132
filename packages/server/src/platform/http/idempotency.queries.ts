import { sql } from 'kysely';
import type { Sql } from '../db/database.ts';
import type { Columns } from '../db/tables.ts';
import { tables } from '../tables.ts';

/** The fingerprint of a body that has not arrived yet. */
export const UNKNOWN = Buffer.alloc(0);

/** The record that a request with a key finds. */
export interface Claimed extends Columns<'idempotency_records', 'id' | 'locked_until' | 'status'> {
  fingerprint: Buffer;
  answer: Buffer | null;
  fresh: boolean;
  /** No earlier attempt can have made anything. */
  first: boolean;
}

/**
 * One statement decides among simultaneous repeats: a new row, an expired one taken over with a new id, or the same request's abandoned
 * one taken over with its id. No row: it is somebody else's.
 */
export const claim = tables.named(
  'claim',
  (_, id: string, scope: Buffer, fingerprint: Buffer, now: Date, lockedUntil: Date, expiresAt: Date) => sql<Claimed>`
    insert into idempotency_records as r (id, scope, fingerprint, created_at, locked_until, expires_at)
    values (${id}, ${scope}, ${fingerprint}, ${now}, ${lockedUntil}, ${expiresAt})
    on conflict (scope) do update set
      id = case when ${isOver} then excluded.id else r.id end,
      fingerprint = case when ${isOver} then excluded.fingerprint else r.fingerprint end,
      created_at = case when ${isOver} then excluded.created_at else r.created_at end,
      locked_until = excluded.locked_until,
      expires_at = case when ${isOver} then excluded.expires_at else r.expires_at end,
      status = case when ${isOver} then null else r.status end,
      answer = case when ${isOver} then null else r.answer end
    where ${isOver}
      or (r.status is null and r.locked_until <= excluded.created_at and excluded.fingerprint in (r.fingerprint, ''::bytea))
    returning id, fingerprint, locked_until, status, answer, true as fresh, r.id = ${id} as first`,
);

/** The row that is there has expired at the moment of the new one. */
const isOver = sql`r.expires_at <= excluded.created_at`;

export const findClaimed = tables.named(
  'claimed',
  (_, scope: Buffer) => sql<Claimed>`
    select id, fingerprint, locked_until, status, answer, false as fresh, false as first
    from idempotency_records where scope = ${scope}`,
);

const keep = tables.named('keep_fingerprint', (begin, id: string, fingerprint: Buffer) =>
  begin
    .updateTable('idempotency_records')
    .set({ fingerprint })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('fingerprint', '=', fingerprint), eb('fingerprint', '=', UNKNOWN)]))
    .returning('id'),
);

/** Keeps the fingerprint of a body that has arrived. False: another body has come with this key. */
export async function keepFingerprint(handle: Sql, id: string, fingerprint: Buffer): Promise<boolean> {
  return (await keep(handle, id, fingerprint)).length === 1;
}

const lock = tables.named('lock', (begin, id: string, until: Date) =>
  begin
    .updateTable('idempotency_records')
    .set({ locked_until: until })
    .where('id', '=', id)
    .where('status', 'is', null),
);

/** Sets until when a request that was not answered keeps repeats away. */
export async function lockUntil(handle: Sql, id: string, until: Date): Promise<void> {
  await lock(handle, id, until);
}

const note = tables.named('answer', (begin, id: string, status: number, answer: Buffer | null) =>
  begin.updateTable('idempotency_records').set({ status, answer }).where('id', '=', id),
);

export async function noteAnswer(handle: Sql, id: string, status: number, answer: Buffer | null): Promise<void> {
  await note(handle, id, status, answer);
}

const forget = tables.named('forget', (begin, id: string) =>
  begin.deleteFrom('idempotency_records').where('id', '=', id).where('status', 'is', null),
);

/** Forgets a request that was not answered. */
export async function forgetClaim(handle: Sql, id: string): Promise<void> {
  await forget(handle, id);
}

export async function deleteExpired(handle: Sql, now: Date): Promise<void> {
  await tables.in(handle).deleteFrom('idempotency_records').where('expires_at', '<=', now).execute();
}

/** Deletes the answers that were sealed with other secrets than those of these marks. @returns how many. */
export async function deleteSealedOtherwise(handle: Sql, marks: readonly Buffer[]): Promise<number> {
  const { rows } = await sql`
    delete from idempotency_records where substring(answer from 1 for 4) <> all(${marks}::bytea[]) returning 1`.execute(
    tables.in(handle),
  );
  return rows.length;
}
