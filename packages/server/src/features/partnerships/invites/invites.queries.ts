import { sql } from 'kysely';
import { nameOf } from '#features/accounts';
import { SEEN_BY_RESELLERS } from '#features/products';
import type { Role } from '#platform/access/access.ts';
import type { Columns } from '#platform/db/tables.ts';
import { joinShared } from '#platform/db/tenant.ts';
import { toDollars } from '#platform/money.ts';
import type { PartnershipsHandle } from '../tables.ts';
import type { FollowedInvite, InvitePreview, InviteState } from './invites.schemas.ts';

/** Enough to know whether one wants to sell them. */
const MOST_PREVIEWED = 12;

/** The state of an invitation `i` as it is now: housekeeping marks expired ones only once an hour. */
export const stateAt = (now: Date) =>
  sql<InviteState>`case when i.state = 'pending' and i.expires_at <= ${now} then 'expired' else i.state end`;

/** In percent. */
export const RATE = sql<number>`i.commission_bps / 100.0::float8`;

/** Invitations `i` with the account `u` that sent them. */
const withInviter = (handle: PartnershipsHandle, now: Date) =>
  handle
    .selectFrom('invites as i')
    .$call(joinShared('users as u', 'u.id', 'i.inviter_id'))
    .select(['u.email', 'u.logo_url', 'u.website_url', 'i.created_at', 'i.expires_at'])
    .select([nameOf('u').as('company_name'), RATE.as('commission_rate'), stateAt(now).as('state')]);

const received = (handle: PartnershipsHandle, now: Date) => withInviter(handle, now).select(['i.id', 'i.message']);

/** The pending invitations to an account's address that fit its role, the newest first. */
export function listReceived(
  handle: PartnershipsHandle,
  accountId: string,
  now: Date,
  { after, limit }: { after: string | null; limit: number },
): Promise<FollowedInvite[]> {
  return received(handle, now)
    .$call(joinShared('users as me', 'me.email_key', 'i.email_key'))
    .whereRef('me.role', '=', 'i.role')
    .where('me.id', '=', accountId)
    .where('i.state', '=', 'pending')
    .where('i.expires_at', '>', now)
    .$if(after !== null, (all) => all.where('i.id', '<', after as string))
    .orderBy('i.id', 'desc')
    .limit(limit)
    .execute();
}

export function findInvite(handle: PartnershipsHandle, id: string, now: Date): Promise<FollowedInvite | undefined> {
  return received(handle, now).where('i.id', '=', id).executeTakeFirst();
}

/** An invitation as the holder of its link sees it before they sign in. Undefined: the inviter has closed the account. */
export async function previewInvite(
  handle: PartnershipsHandle,
  id: string,
  now: Date,
): Promise<InvitePreview | undefined> {
  const invite = await withInviter(handle, now)
    .select(['i.inviter_id', 'i.role'])
    .where('i.id', '=', id)
    .where('u.deleted_at', 'is', null)
    .executeTakeFirst();
  if (!invite) return undefined;
  const { inviter_id, ...shown } = invite;
  const offers = shown.role === 'reseller' && shown.state === 'pending';
  const rows = offers ? await offered(handle, inviter_id) : [];
  return {
    ...shown,
    products: rows.map(({ name, image_url, price, sale }) => ({
      name,
      image_url,
      price: toDollars(price),
      sale_price: toDollars(sale),
    })),
    products_total: rows[0]?.n ?? 0,
  };
}

/** The newest products that a reseller of this developer could sell, and how many there are. */
function offered(handle: PartnershipsHandle, developerId: string) {
  return handle
    .selectFrom('products as p')
    .select(['p.name', 'p.image_url', 'p.price_cents as price', 'p.sale_price_cents as sale'])
    .select((eb) => eb.fn.countAll<number>().over().as('n'))
    .where('p.developer_id', '=', developerId)
    .where(SEEN_BY_RESELLERS)
    .orderBy('p.id', 'desc')
    .limit(MOST_PREVIEWED)
    .execute();
}

export async function countPending(handle: PartnershipsHandle, accountId: string, now: Date): Promise<number> {
  const { pending } = await handle
    .selectFrom('invites as i')
    .$call(joinShared('users as me', 'me.email_key', 'i.email_key'))
    .select((eb) => eb.fn.countAll<number>().as('pending'))
    .whereRef('me.role', '=', 'i.role')
    .where('me.id', '=', accountId)
    .where('i.state', '=', 'pending')
    .where('i.expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return pending;
}

/**
 * An invitation `i`, locked until the transaction ends, with the name and address of the account `me` that was invited. Undefined
 * unless it was sent to the account's address.
 */
export function holdInvite(tx: PartnershipsHandle, accountId: string, id: string) {
  return tx
    .selectFrom('invites as i')
    .$call(joinShared('users as u', 'u.id', 'i.inviter_id'))
    .$call(joinShared('users as me', 'me.email_key', 'i.email_key'))
    .select(['i.id', 'i.inviter_id', 'i.role', 'i.state', 'i.commission_bps', 'i.partnership_id'])
    .select(['i.created_at', 'i.expires_at', 'u.email as inviter_email', 'u.role as inviter_role'])
    .select(['me.email', nameOf('me').as('name')])
    .where('i.id', '=', id)
    .where('me.id', '=', accountId)
    .forUpdate('i')
    .executeTakeFirst();
}

/** An invitation whose row is locked. */
export type HeldInvite = NonNullable<Awaited<ReturnType<typeof holdInvite>>>;

export interface Crossed extends Columns<'invites', 'id'> {
  /** The named reseller that it would have claimed, when nobody has yet. */
  claim: string | null;
}

/** Locks in the order of ids: two accounts that accept each other's invitation at once must not deadlock. */
export async function lockWithCrossed(tx: PartnershipsHandle, accountId: string, id: string): Promise<void> {
  await sql`select 1 from invites where id = ${id} or inviter_id = ${accountId} and state = 'pending' and email_key = (
      select u.email_key from invites i join users u on u.id = i.inviter_id where i.id = ${id})
    order by id for update`.execute(tx);
}

/** The caller's own pending invitations to the account that invited them. */
export async function findCrossed(
  tx: PartnershipsHandle,
  accountId: string,
  inviterId: string,
  now: Date,
): Promise<Crossed[]> {
  const { rows } = await sql<Crossed>`select i.id, p.id as claim
    from invites i join users u on u.id = ${inviterId} and u.email_key = i.email_key and u.role = i.role
      left join partnerships p on p.developer_id = ${accountId} and p.id = i.partnership_id and p.status = 'named'
    where i.inviter_id = ${accountId} and i.state = 'pending' and i.expires_at > ${now}`.execute(tx);
  return rows;
}

/** Answers invitations; what accepting them made is theirs from then on. */
export async function answerInvites(
  tx: PartnershipsHandle,
  ids: readonly string[],
  { state, partnershipId, now }: { state: 'accepted' | 'rejected'; partnershipId: string | null; now: Date },
): Promise<void> {
  await tx
    .updateTable('invites')
    .set({ state, answered_at: now, ...(partnershipId ? { partnership_id: partnershipId } : {}) })
    .where('id', 'in', ids)
    .execute();
}

/** The columns that the email about an invitation is made of. */
export interface InviteEmailRow extends Columns<'invites', 'role' | 'email' | 'email_key' | 'message' | 'expires_at'> {
  commission_rate: number;
  is_open: boolean;
  inviter_name: string;
  inviter_email: string;
  inviter_zone: string;
  account_id: string | null;
  account_role: Role | null;
  account_verified: boolean;
}

export async function findInviteToEmail(
  handle: PartnershipsHandle,
  id: string,
  now: Date,
): Promise<InviteEmailRow | undefined> {
  const { rows } = await sql<InviteEmailRow>`
    select i.role, i.email, i.email_key, i.message, ${RATE} as commission_rate, i.expires_at,
      i.state = 'pending' and i.expires_at > ${now} as is_open, u.email as inviter_email,
      ${nameOf('u')} as inviter_name, u.time_zone as inviter_zone,
      a.id as account_id, a.role as account_role, a.email_verified_at is not null as account_verified
    from invites i join users u on u.id = i.inviter_id left join users a on a.email_key = i.email_key
    where i.id = ${id}`.execute(handle);
  return rows[0];
}
