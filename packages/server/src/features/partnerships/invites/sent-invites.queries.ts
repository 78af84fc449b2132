import { sql } from 'kysely';
import type { Role } from '#platform/access/access.ts';
import type { Columns } from '#platform/db/tables.ts';
import { emailKey } from '#platform/text/email-address.ts';
import type { PartnershipsHandle } from '../tables.ts';
import { RATE, stateAt } from './invites.queries.ts';
import type { InviteState, SentInvite } from './invites.schemas.ts';

/** The invitations `i` that an account has sent, with the named reseller `p` that each would claim. */
const sent = (inviterId: string, now: Date) => sql`
  select i.id, i.email, ${stateAt(now)} as state, i.message, ${RATE} as commission_rate,
    i.partnership_id, p.name as reseller_name, i.created_at, i.sent_at,
    case when i.state = 'pending' and i.expires_at > ${now} then i.sent_at + interval '1 day' end as resend_after,
    i.expires_at, i.answered_at
  from invites i left join partnerships p on p.developer_id = ${inviterId} and p.id = i.partnership_id
  where i.inviter_id = ${inviterId}`;

interface SentPage {
  state: InviteState | undefined;
  after: string | null;
  limit: number;
}

export async function listSent(
  handle: PartnershipsHandle,
  inviterId: string,
  now: Date,
  { state, after, limit }: SentPage,
): Promise<SentInvite[]> {
  const { rows } = await sql<SentInvite>`${sent(inviterId, now)}
    ${state === undefined ? sql`` : sql`and ${stateAt(now)} = ${state}`}
    ${after === null ? sql`` : sql`and i.id < ${after}`} order by i.id desc limit ${limit}`.execute(handle);
  return rows;
}

/** Finds sent invitations, in the order of the ids. */
export async function findSent(
  handle: PartnershipsHandle,
  inviterId: string,
  now: Date,
  ids: string[],
): Promise<SentInvite[]> {
  const { rows } = await sql<SentInvite>`${sent(inviterId, now)} and i.id = any(${ids}::uuid[])
    order by array_position(${ids}::uuid[], i.id)`.execute(handle);
  return rows;
}

/** Finds which of these addresses belong to accounts that the caller works with already. */
export async function partnersAmong(
  handle: PartnershipsHandle,
  accountId: string,
  emailKeys: string[],
): Promise<Set<string>> {
  const people = await handle
    .selectFrom('users')
    .select(['id', 'email_key'])
    .where('email_key', '=', sql<string>`any(${emailKeys})`)
    .execute();
  // starts from those accounts, whose few partnerships an index finds: a reseller may work with many developers
  const anyOf = sql<string>`any(${people.map(({ id }) => id)}::uuid[])`;
  const open = handle.selectFrom('partnerships as p').where('p.status', 'in', ['active', 'paused']);
  const resellers = await open
    .select('p.reseller_id as id')
    .where('p.developer_id', '=', accountId)
    .where('p.reseller_id', '=', anyOf)
    .execute();
  const developers = await open
    .select('p.developer_id as id')
    .where('p.developer_id', '=', anyOf)
    .where('p.reseller_id', '=', accountId)
    .execute();
  const partners = new Set([...resellers, ...developers].map(({ id }) => id));
  return new Set(people.flatMap(({ id, email_key: key }) => (key !== null && partners.has(id) ? [key] : [])));
}

const KNOWN = ['id', 'email_key', 'state', 'sent_at', 'request_id', 'commission_bps', 'partnership_id'] as const;

export type Known = Columns<'invites', (typeof KNOWN)[number]>;

/** The newest invitation to each address. A pending one stays pending until the transaction ends. */
export async function newestTo(
  tx: PartnershipsHandle,
  inviterId: string,
  emailKeys: string[],
): Promise<Map<string, Known>> {
  const invites = tx.selectFrom('invites').where('inviter_id', '=', inviterId).where('email_key', 'in', emailKeys);
  await invites.select('id').where('state', '=', 'pending').orderBy('id').forUpdate().execute();
  // a separate statement, so that it sees answers that the first one waited for
  const rows = await invites.select(KNOWN).distinctOn('email_key').orderBy('email_key').orderBy('id', 'desc').execute();
  return new Map(rows.map((row) => [row.email_key, row]));
}

const ofInviter = (handle: PartnershipsHandle, inviterId: string, id: string) =>
  handle.selectFrom('invites').where('id', '=', id).where('inviter_id', '=', inviterId);

/** The address that an invitation was sent to. */
export async function invitedAddress(
  handle: PartnershipsHandle,
  inviterId: string,
  id: string,
): Promise<string | undefined> {
  return (await ofInviter(handle, inviterId, id).select('email').executeTakeFirst())?.email;
}

/** An invitation, which nobody answers until the transaction ends. */
export const lockSent = (tx: PartnershipsHandle, inviterId: string, id: string) =>
  ofInviter(tx, inviterId, id)
    .select(['state', 'sent_at', 'request_id', 'message', 'expires_at'])
    .forUpdate()
    .executeTakeFirst();

/** The terms of a reseller, and whether it has an account. */
export const resellerTerms = (handle: PartnershipsHandle, developerId: string, id: string) =>
  handle
    .selectFrom('partnerships')
    .select(['commission_bps', 'status'])
    .where('id', '=', id)
    .where('developer_id', '=', developerId)
    .executeTakeFirst();

/** The terms of an invitation. */
export interface Terms {
  message: string | null;
  commissionBps: number;
  /** The named reseller that accepting it claims. */
  partnershipId: string | null;
}

export interface Invited extends Terms {
  id: string;
  inviterId: string;
  requestId: string;
  role: Role;
  email: string;
  now: Date;
  expiresAt: Date;
}

export async function addInvite(tx: PartnershipsHandle, invite: Invited): Promise<void> {
  await tx
    .insertInto('invites')
    .values({
      id: invite.id,
      inviter_id: invite.inviterId,
      role: invite.role,
      email: invite.email,
      email_key: emailKey(invite.email),
      partnership_id: invite.partnershipId,
      commission_bps: invite.commissionBps,
      message: invite.message,
      state: 'pending',
      request_id: invite.requestId,
      created_at: invite.now,
      sent_at: invite.now,
      expires_at: invite.expiresAt,
    })
    .execute();
}

/** Sends an invitation once more. */
export async function renewInvite(
  tx: PartnershipsHandle,
  { id, requestId, message, now, expiresAt }: Pick<Invited, 'id' | 'requestId' | 'message' | 'now' | 'expiresAt'>,
): Promise<void> {
  await tx
    .updateTable('invites')
    .set({ request_id: requestId, sent_at: now, expires_at: expiresAt, message })
    .where('id', '=', id)
    .execute();
}

/** Withdraws an invitation. @returns false when it is not pending. */
export async function withdrawInvite(
  tx: PartnershipsHandle,
  inviterId: string,
  id: string,
  now: Date,
): Promise<boolean> {
  const withdrawn = await tx
    .updateTable('invites')
    .set({ state: 'withdrawn', answered_at: now })
    .where('id', '=', id)
    .where('inviter_id', '=', inviterId)
    .where('state', '=', 'pending')
    .returning('id')
    .executeTakeFirst();
  return withdrawn !== undefined;
}

/** Marks what nobody answered in time. @param inviterId of one account only */
export async function expireInvites(handle: PartnershipsHandle, now: Date, inviterId?: string): Promise<void> {
  await handle
    .updateTable('invites')
    .set((eb) => ({ state: 'expired' as const, answered_at: eb.ref('expires_at') }))
    .where('state', '=', 'pending')
    .where('expires_at', '<=', now)
    .$if(inviterId !== undefined, (all) => all.where('inviter_id', '=', inviterId as string))
    .execute();
}

/** Forgets invitations that ended before. */
export async function forgetInvites(handle: PartnershipsHandle, before: Date): Promise<void> {
  await handle.deleteFrom('invites').where('answered_at', '<=', before).execute();
}

/** Those that an account has sent, and those to its address. */
export async function deleteInvitesOf(tx: PartnershipsHandle, accountId: string): Promise<void> {
  await sql`delete from invites where inviter_id = ${accountId}
    or email_key = (select email_key from users where id = ${accountId})`.execute(tx);
}

export async function countSentPending(tx: PartnershipsHandle, inviterId: string): Promise<number> {
  const { pending } = await tx
    .selectFrom('invites')
    .select((eb) => eb.fn.countAll<number>().as('pending'))
    .where('inviter_id', '=', inviterId)
    .where('state', '=', 'pending')
    .executeTakeFirstOrThrow();
  return pending;
}
