import { sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import type { Columns } from '#platform/db/tables.ts';
import { acrossTenants, joinOwn } from '#platform/db/tenant.ts';
import { isId } from '#platform/ids.ts';
import { sha256 } from '#platform/secrets/secrets.ts';
import type { Proven } from '../downloads/proven.ts';
import { type RedemptionDb, tables } from '../tables.ts';

// A ticket leads from the serial step to the name step of a redemption. Its holder has shown the code. It names the
// account, so that only the machine of this account is asked for it. A hash of the whole ticket is kept, so nobody can
// put another account in.

/** A ticket of an account. @param secret without a dot */
export const ticketOf = (secret: string, developerId: string) => `${secret}.${developerId}`;

const add = tables.named(
  'add_ticket',
  (
    _,
    developerId: string,
    serialId: string,
    ticket: string,
    hash: Buffer,
    email: string,
    proven: string,
    now: Date,
    expires: Date,
  ) => sql<Columns<'redeem_tickets', 'id'>>`
    insert into redeem_tickets as t (developer_id, id, token_hash, serial_id, email, proven, created_at, expires_at)
    select s.developer_id, ${ticket}::uuid, ${hash}::bytea, s.id, ${email}::text, ${proven}::jsonb, ${now}::timestamptz,
      ${expires}::timestamptz
    from serials s where s.developer_id = ${developerId} and s.id = ${serialId} for key share
    returning id`,
);

/** Makes a ticket for a serial that still exists. @returns whether it does. */
export async function addTicket(
  handle: Sql,
  serial: { developer_id: string; id: string },
  ticket: { id: string; tokenHash: Buffer; email: string; proven: Proven; now: Date; expiresAt: Date },
): Promise<boolean> {
  const { id, tokenHash, email, proven, now, expiresAt } = ticket;
  const { developer_id: developerId, id: serialId } = serial;
  const made = await add(handle, developerId, serialId, id, tokenHash, email, JSON.stringify(proven), now, expiresAt);
  return made.length > 0;
}

/** Older releases made tickets that name no account: for as long as one lives, a quarter of an hour. */
const tenantOf = tables.named('tenant_of_ticket', (begin, hash: Buffer) =>
  begin
    .selectFrom('redeem_tickets')
    .select('developer_id')
    .where('token_hash', '=', hash)
    .modifyEnd(acrossTenants('a ticket of an older release names no account')),
);

const holdSerial = tables.named('hold_tickets_serial', (begin, developerId: string, hash: Buffer, now: Date) =>
  begin
    .selectFrom('redeem_tickets as t')
    .$call(joinOwn('serials as s', 's.id', 't.serial_id'))
    .select('s.id')
    .where('t.developer_id', '=', developerId)
    .where('t.token_hash', '=', hash)
    .where('t.used_at', 'is', null)
    .where('t.expires_at', '>', now)
    .forNoKeyUpdate('s'),
);

const use = tables.named('use_ticket', (begin, developerId: string, hash: Buffer, now: Date) =>
  begin
    .updateTable('redeem_tickets')
    .set({ used_at: now })
    .where('developer_id', '=', developerId)
    .where('token_hash', '=', hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['developer_id', 'serial_id', 'email', 'proven', 'created_at']),
);

/** Uses up a ticket in the caller’s transaction; undefined when it is used, too old or unknown. */
export async function useTicket(handle: Sql, token: string, now: Date) {
  const hash = sha256(token);
  const developerId = await accountOf(handle, token, hash);
  if (!developerId) return undefined;
  // lock the serial before its ticket, in the order of its deletion, so that the two cannot deadlock
  const [held] = await holdSerial(handle, developerId, hash, now);
  if (!held) return undefined;
  const [ticket] = await use(handle, developerId, hash, now);
  return ticket;
}

async function accountOf(handle: Sql, token: string, hash: Buffer): Promise<string | undefined> {
  const [, named = ''] = token.split('.');
  return isId(named) ? named : (await tenantOf(handle, hash))[0]?.developer_id;
}

/** Deletes tickets that can no longer be used. */
export async function expireTickets(db: RedemptionDb, now: Date): Promise<void> {
  await db
    .deleteFrom('redeem_tickets')
    .where('expires_at', '<=', now)
    .modifyEnd(acrossTenants('housekeeping'))
    .execute();
}

/** Ends a redemption that was started. */
export async function eraseTickets(handle: Sql, person: { developerId: string; customerId: string }): Promise<void> {
  const own = tables.in(handle);
  const serials = own
    .selectFrom('serials')
    .select('id')
    .where('developer_id', '=', person.developerId)
    .where('customer_id', '=', person.customerId);
  await own
    .deleteFrom('redeem_tickets')
    .where('developer_id', '=', person.developerId)
    .where('serial_id', 'in', serials)
    .execute();
}
