import { sql } from 'kysely';
import { lockAccount, nameOf, verifyAddress } from '#features/accounts';
import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import type { Columns } from '#platform/db/tables.ts';
import { joinShared } from '#platform/db/tenant.ts';
import { AppError, notFound } from '#platform/errors.ts';
import { decodeIdCursor, type Page, pageOf } from '#platform/http/answers/cursor.ts';
import type { Random } from '#platform/random.ts';
import type { TokenMint } from '#platform/secrets/jwt.ts';
import { connect } from '../connect.ts';
import type { StockMoves } from '../merge.ts';
import type { PartnershipsDb, PartnershipsHandle } from '../tables.ts';
import type { InviteEmails } from './invite-emails.service.ts';
import { countPending, findInvite, listReceived, previewInvite } from './invites.queries.ts';
import type {
  FollowedInvite,
  InviteAnswered,
  InvitePreview,
  ReceivedInvite,
  ReceivedInviteQuery,
} from './invites.schemas.ts';

interface Dependencies {
  db: PartnershipsDb;
  clock: Clock;
  random: Random;
  inviteEmails: InviteEmails;
  links: TokenMint<{ invite: string }>;
  stock: StockMoves;
}

type InviteRow = NonNullable<Awaited<ReturnType<typeof hold>>>;

/** Invitations from the side of whoever was invited. */
export class ReceivedInvites {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Pending ones. None before the account's address is verified: it may be another person's. */
  async list(
    caller: Principal,
    { limit, cursor, count }: ReceivedInviteQuery,
  ): Promise<Page<ReceivedInvite> & { total: number | null }> {
    const { db, clock } = this.#deps;
    const after = decodeIdCursor(cursor);
    if (!caller.emailVerified) return { rows: [], next_cursor: null, total: 0 };
    const now = clock.now();
    const rows = await listReceived(db, caller.accountId, now, { after, limit: limit + 1 });
    return { ...pageOf(rows, limit), total: count ? await this.count(caller) : null };
  }

  /** How many `list` lists in all. */
  async count(caller: Principal): Promise<number> {
    const { db, clock } = this.#deps;
    return caller.emailVerified ? countPending(db, caller.accountId, clock.now()) : 0;
  }

  /**
   * Shows the invitation that a link is about to whoever holds it, who has read in its email what is shown here: no account
   * is needed, none is verified, and the inviter's own words are left for whoever signs in.
   * @throws {AppError} link_invalid when the link is not ours or the invitation is over.
   */
  async preview(token: string): Promise<InvitePreview> {
    const { db, clock, links } = this.#deps;
    const link = links.verify(token);
    const invite = link && (await previewInvite(db, link.invite, clock.now()));
    if (!invite || invite.state === 'withdrawn' || invite.state === 'expired') throw linkInvalid();
    return invite;
  }

  /**
   * Opens the link of an invitation's email, which proves that the caller reads the email of the invited address.
   * @throws {AppError} link_invalid when the link is not ours or the invitation is over; forbidden for an account with
   * another address or role.
   */
  async follow(caller: Principal, token: string): Promise<FollowedInvite> {
    const { db, clock, links, inviteEmails } = this.#deps;
    const link = links.verify(token);
    if (!link) throw linkInvalid();
    return db.work({ tx: true }, async (tx) => {
      const now = clock.now();
      await lockAccount(tx, caller);
      const invited = await hold(tx, caller.accountId, link.invite);
      const invite = await findInvite(tx, link.invite, now);
      if (!invite || invite.state === 'withdrawn' || invite.state === 'expired') throw linkInvalid();
      if (!invited) {
        throw new AppError(
          'forbidden',
          'This invitation was sent to another email address. Sign in with that address.',
        );
      }
      assertRole(invited, caller);
      await verifyAddress(tx, caller.accountId, now);
      if (!caller.emailVerified) await inviteEmails.publishPending(tx, caller.accountId, now);
      return invite;
    });
  }

  /**
   * Accepts or rejects, once: the same answer again gets the same result. Accepting makes the two partners, and settles
   * the caller's own invitation to the other where both had invited each other.
   * @throws {AppError} not_found unless the caller's address was invited; forbidden for the wrong role; conflict when it was
   * answered otherwise, withdrawn or has expired, or when its named reseller has an account by now.
   */
  async respond(caller: Principal, id: string, response: 'accept' | 'reject'): Promise<InviteAnswered> {
    const { db, clock, inviteEmails } = this.#deps;
    const accepted = response === 'accept';
    return db.work({ tx: true }, async (tx) => {
      const now = clock.now();
      await lockAccount(tx, caller);
      await lockWithCrossed(tx, caller.accountId, id);
      const invite = await hold(tx, caller.accountId, id);
      if (!invite) throw notFound('Invitation');
      assertRole(invite, caller);
      const state = accepted ? 'accepted' : 'rejected';
      const answer = { message: accepted ? 'Invitation accepted.' : 'Invitation rejected.', state } as const;
      if (invite.state === state) return { ...answer, partnership_id: accepted ? invite.partnership_id : null };
      assertOpen(invite, now);
      const crossed = accepted ? await findCrossed(tx, caller.accountId, invite.inviter_id, now) : [];
      const partnershipId = accepted ? await this.#connect(tx, caller, invite, crossed) : null;
      await tx
        .updateTable('invites')
        .set({ state, answered_at: now, ...(partnershipId ? { partnership_id: partnershipId } : {}) })
        .where('id', 'in', [id, ...crossed.map((each) => each.id)])
        .execute();
      await inviteEmails.emailAnswer(tx, {
        to: invite.inviter_email,
        inviterRole: invite.inviter_role,
        by: invite.name,
        byEmail: invite.email,
        accepted,
      });
      for (const accountId of [caller.accountId, invite.inviter_id])
        await inviteEmails.publishPending(tx, accountId, now);
      return { ...answer, partnership_id: partnershipId };
    });
  }

  #connect(tx: PartnershipsHandle, caller: Principal, invite: InviteRow, crossed: Crossed[]): Promise<string> {
    const [developerId, resellerId] =
      invite.role === 'reseller' ? [invite.inviter_id, caller.accountId] : [caller.accountId, invite.inviter_id];
    const { commission_bps: commissionBps } = invite;
    const claim = invite.partnership_id ?? crossed.find((each) => each.claim !== null)?.claim ?? null;
    const invited = { by: invite.inviter_id, at: invite.created_at };
    const partners = { developerId, resellerId, commissionBps, claim, invited, acceptedBy: caller.accountId };
    return connect(tx, this.#deps, partners);
  }
}

/**
 * An invitation `i`, locked until the transaction ends, with the name and address of the account `me` that was invited. Undefined
 * unless it was sent to the account's address.
 */
function hold(tx: PartnershipsHandle, accountId: string, id: string) {
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

interface Crossed extends Columns<'invites', 'id'> {
  /** The named reseller that it would have claimed, when nobody has yet. */
  claim: string | null;
}

/** In the order of their ids: two who accept each other's invitation at once must not wait for each other. */
async function lockWithCrossed(tx: PartnershipsHandle, accountId: string, id: string): Promise<void> {
  await sql`select 1 from invites where id = ${id} or inviter_id = ${accountId} and state = 'pending' and email_key = (
      select u.email_key from invites i join users u on u.id = i.inviter_id where i.id = ${id})
    order by id for update`.execute(tx);
}

/** The caller's own pending invitations to whoever invited them. */
async function findCrossed(
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

function assertRole(invite: InviteRow, { role }: Principal): void {
  if (invite.role !== role) throw new AppError('forbidden', `This invitation is for ${invite.role}s.`);
}

function assertOpen(invite: InviteRow, now: Date): void {
  if (invite.state === 'pending' && invite.expires_at > now) return;
  const state = invite.state === 'pending' ? 'expired' : invite.state;
  const messages = {
    accepted: 'You have already accepted this invitation.',
    rejected: 'You have already rejected this invitation.',
    withdrawn: 'This invitation was withdrawn.',
    expired: 'This invitation has expired. Ask for a new one.',
  };
  throw new AppError('conflict', messages[state]);
}

function linkInvalid(): AppError {
  return new AppError('link_invalid', 'This invitation has expired or was withdrawn. Ask for a new one.');
}
