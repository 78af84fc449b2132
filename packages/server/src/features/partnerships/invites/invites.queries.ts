import { accountName } from '#features/accounts';
import { SEEN_BY_RESELLERS } from '#features/products';
import type { Sql } from '#platform/db/database.ts';
import { toDollars } from '#platform/money.ts';
import type { FollowedInvite, InvitePreview, InviteState, SentInvite } from './invites.schemas.ts';

/** `state` as it is now: housekeeping marks expired ones only once an hour. */
const STATE = (now: string) =>
  `case when i.state = 'pending' and i.expires_at <= ${now} then 'expired' else i.state end`;

const RECEIVED = `
  select i.id, ${accountName('u')} as company_name, u.email, u.logo_url, u.website_url, i.message,
    i.commission_bps / 100.0::float8 as commission_rate, i.created_at, i.expires_at, ${STATE('$2')} as state
  from invites i join users u on u.id = i.inviter_id`;

/** The pending invitations to an account's address that fit its role, the newest first. */
export function listReceived(
  sql: Sql,
  userId: string,
  now: Date,
  { after, limit }: { after: string | null; limit: number },
): Promise<FollowedInvite[]> {
  return sql.query<FollowedInvite>(
    `${RECEIVED} join users me on me.id = $1 and me.email_key = i.email_key and me.role = i.role
     where i.state = 'pending' and i.expires_at > $2 and ($3::uuid is null or i.id < $3) order by i.id desc limit $4`,
    [userId, now, after, limit],
  );
}

export async function findInvite(sql: Sql, id: string, now: Date): Promise<FollowedInvite | undefined> {
  return (await sql.query<FollowedInvite>(`${RECEIVED} where i.id = $1`, [id, now]))[0];
}

/** An invitation as the holder of its link sees it before they sign in. Undefined: the inviter has closed the account. */
export async function previewInvite(sql: Sql, id: string, now: Date): Promise<InvitePreview | undefined> {
  const [invite] = await sql.query<Omit<InvitePreview, 'products' | 'products_total'> & { inviter_id: string }>(
    `select i.inviter_id, i.role, ${accountName('u')} as company_name, u.email, u.logo_url, u.website_url,
       i.commission_bps / 100.0::float8 as commission_rate, i.created_at, i.expires_at, ${STATE('$2')} as state
     from invites i join users u on u.id = i.inviter_id where i.id = $1 and u.deleted_at is null`,
    [id, now],
  );
  if (!invite) return undefined;
  const { inviter_id, ...shown } = invite;
  const offers = shown.role === 'reseller' && shown.state === 'pending';
  const rows = offers
    ? await sql.query<{ name: string; image_url: string | null; price: number | null; sale: number | null; n: number }>(
        `select p.name, p.image_url, p.price_cents as price, p.sale_price_cents as sale, count(*) over ()::int as n
         from products p where p.developer_id = $1 and ${SEEN_BY_RESELLERS} order by p.id desc limit ${MOST_PREVIEWED}`,
        [inviter_id],
      )
    : [];
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

export async function countPending(sql: Sql, userId: string, now: Date): Promise<number> {
  const [row] = await sql.query<{ pending: number }>(
    `select count(*)::int as pending
     from invites i join users me on me.id = $1 and me.email_key = i.email_key and me.role = i.role
     where i.state = 'pending' and i.expires_at > $2`,
    [userId, now],
  );
  return row?.pending ?? 0;
}

/** Enough to know whether one wants to sell them. */
const MOST_PREVIEWED = 12;

const SENT = `
  select i.id, i.email, ${STATE('$2')} as state, i.message, i.commission_bps / 100.0::float8 as commission_rate,
    i.partnership_id, p.name as reseller_name, i.created_at, i.sent_at,
    case when i.state = 'pending' and i.expires_at > $2 then i.sent_at + interval '1 day' end as resend_after,
    i.expires_at, i.answered_at
  from invites i left join partnerships p on p.developer_id = i.inviter_id and p.id = i.partnership_id
  where i.inviter_id = $1`;

interface SentPage {
  state: InviteState | undefined;
  after: string | null;
  limit: number;
}

export function listSent(sql: Sql, inviterId: string, now: Date, page: SentPage): Promise<SentInvite[]> {
  return sql.query<SentInvite>(
    `${SENT} and ($3::text is null or ${STATE('$2')} = $3) and ($4::uuid is null or i.id < $4)
     order by i.id desc limit $5`,
    [inviterId, now, page.state ?? null, page.after, page.limit],
  );
}

export function findSent(sql: Sql, inviterId: string, now: Date, ids: string[]): Promise<SentInvite[]> {
  return sql.query<SentInvite>(`${SENT} and i.id = any($3) order by array_position($3, i.id)`, [inviterId, now, ids]);
}

/** Which of these addresses belong to somebody the caller works with already. */
export async function partnersAmong(sql: Sql, userId: string, emailKeys: string[]): Promise<Set<string>> {
  // from the addresses, whose few partnerships an index finds: a reseller may work with many developers
  const rows = await sql.query<{ email_key: string }>(
    `/* across tenants: a reseller works with many developers */
     select u.email_key from users u where u.email_key = any($2) and exists (
       select 1 from partnerships p where p.status in ('active', 'paused')
         and (p.reseller_id = u.id and p.developer_id = $1 or p.reseller_id = $1 and p.developer_id = u.id))`,
    [userId, emailKeys],
  );
  return new Set(rows.map((row) => row.email_key));
}
