import { sql } from 'kysely';
import { nameOf } from '#features/accounts';
import { SEEN_BY_RESELLERS } from '#features/products';
import { joinShared } from '#platform/db/tenant.ts';
import { toDollars } from '#platform/money.ts';
import type { PartnershipsHandle } from '../tables.ts';
import type { FollowedInvite, InvitePreview, InviteState, SentInvite } from './invites.schemas.ts';

/** Enough to know whether one wants to sell them. */
const MOST_PREVIEWED = 12;

/** The state of an invitation `i` as it is now: housekeeping marks expired ones only once an hour. */
const stateAt = (now: Date) =>
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

/** In the order of the ids. */
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

/** Which of these addresses belong to somebody the caller works with already. */
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
  // from those accounts, whose few partnerships an index finds: a reseller may work with many developers
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
