import { accountName, lockAccount, verifyAddress } from '#features/accounts';
import type { Principal, Role } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database, Sql } from '#platform/db/database.ts';
import { AppError, notFound } from '#platform/errors.ts';
import { decodeIdCursor, type Page, pageOf } from '#platform/http/answers/cursor.ts';
import type { Random } from '#platform/random.ts';
import type { TokenMint } from '#platform/secrets/jwt.ts';
import { connect } from '../connect.ts';
import type { StockMoves } from '../merge.ts';
import type { InviteNotices } from './invite-notices.service.ts';
import { countPending, findInvite, listReceived, previewInvite } from './invites.queries.ts';
import type {
  FollowedInvite,
  InviteAnswered,
  InvitePreview,
  InviteState,
  ReceivedInvite,
  ReceivedInviteQuery,
} from './invites.schemas.ts';

interface Dependencies {
  db: Database;
  clock: Clock;
  random: Random;
  notices: InviteNotices;
  links: TokenMint<{ invite: string }>;
  stock: StockMoves;
}

interface InviteRow {
  id: string;
  inviter_id: string;
  inviter_email: string;
  inviter_role: Role;
  role: Role;
  state: InviteState;
  commission_bps: number;
  partnership_id: string | null;
  created_at: Date;
  expires_at: Date;
  /** Those of the account that was invited. */
  name: string;
  email: string;
}

/** Invitations from the side of whoever was invited. */
export class ReceivedInvites {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Pending ones. None before the account's address is verified: it may be another person's. */
  async list(
    caller: Principal,
    { limit, cursor }: ReceivedInviteQuery,
  ): Promise<Page<ReceivedInvite> & { total: number }> {
    const { db, clock } = this.#deps;
    const after = decodeIdCursor(cursor);
    if (!caller.emailVerified) return { rows: [], next_cursor: null, total: 0 };
    const now = clock.now();
    const rows = await listReceived(db, caller.userId, now, { after, limit: limit + 1 });
    return { ...pageOf(rows, limit), total: await this.count(caller) };
  }

  /** How many `list` lists in all. */
  async count(caller: Principal): Promise<number> {
    const { db, clock } = this.#deps;
    return caller.emailVerified ? countPending(db, caller.userId, clock.now()) : 0;
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
    const { db, clock, links, notices } = this.#deps;
    const link = links.verify(token);
    if (!link) throw linkInvalid();
    return db.transaction(async (tx) => {
      const now = clock.now();
      await lockAccount(tx, caller);
      const invited = await this.#find(tx, caller.userId, link.invite);
      const invite = await findInvite(tx, link.invite, now);
      if (!invite || invite.state === 'withdrawn' || invite.state === 'expired') throw linkInvalid();
      if (!invited) {
        throw new AppError(
          'forbidden',
          'This invitation was sent to another email address. Sign in with that address.',
        );
      }
      assertRole(invited, caller);
      await verifyAddress(tx, caller.userId, now);
      if (!caller.emailVerified) await notices.publishPending(tx, caller.userId, now);
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
    const { db, clock, notices } = this.#deps;
    const accepted = response === 'accept';
    return db.transaction(async (tx) => {
      const now = clock.now();
      await lockAccount(tx, caller);
      await lockWithCrossed(tx, caller.userId, id);
      const invite = await this.#find(tx, caller.userId, id);
      if (!invite) throw notFound('Invitation');
      assertRole(invite, caller);
      const state = accepted ? 'accepted' : 'rejected';
      const answer = { message: accepted ? 'Invitation accepted.' : 'Invitation rejected.', state } as const;
      if (invite.state === state) return { ...answer, partnership_id: accepted ? invite.partnership_id : null };
      assertOpen(invite, now);
      const crossed = accepted ? await findCrossed(tx, caller.userId, invite.inviter_id, now) : [];
      const partnershipId = accepted ? await this.#connect(tx, caller, invite, crossed) : null;
      await tx.query(
        'update invites set state = $2, answered_at = $3, partnership_id = coalesce($4, partnership_id) where id = any($1)',
        [[id, ...crossed.map((each) => each.id)], state, now, partnershipId],
      );
      await notices.emailAnswer(tx, {
        to: invite.inviter_email,
        inviterRole: invite.inviter_role,
        by: invite.name,
        byEmail: invite.email,
        accepted,
      });
      for (const userId of [caller.userId, invite.inviter_id]) await notices.publishPending(tx, userId, now);
      return { ...answer, partnership_id: partnershipId };
    });
  }

  #connect(sql: Sql, caller: Principal, invite: InviteRow, crossed: Crossed[]): Promise<string> {
    const [developerId, resellerId] =
      invite.role === 'reseller' ? [invite.inviter_id, caller.userId] : [caller.userId, invite.inviter_id];
    const { commission_bps: commissionBps } = invite;
    const claim = invite.partnership_id ?? crossed.find((each) => each.claim !== null)?.claim ?? null;
    const invited = { by: invite.inviter_id, at: invite.created_at };
    const partners = { developerId, resellerId, commissionBps, claim, invited, acceptedBy: caller.userId };
    return connect(sql, this.#deps, partners);
  }

  /** Locked until the transaction ends. Undefined unless it was sent to the account's address. */
  async #find(sql: Sql, userId: string, id: string): Promise<InviteRow | undefined> {
    const [row] = await sql.query<InviteRow>(
      `select i.id, i.inviter_id, u.email as inviter_email, u.role as inviter_role, i.role, i.state, i.commission_bps,
         i.partnership_id, i.created_at, i.expires_at, me.email,
         ${accountName('me')} as name
       from invites i join users u on u.id = i.inviter_id join users me on me.id = $2 and me.email_key = i.email_key
       where i.id = $1 for update of i`,
      [id, userId],
    );
    return row;
  }
}

interface Crossed {
  id: string;
  /** The named reseller that it would have claimed, when nobody has yet. */
  claim: string | null;
}

/** In the order of their ids: two who accept each other's invitation at once must not wait for each other. */
async function lockWithCrossed(sql: Sql, userId: string, id: string): Promise<void> {
  await sql.query(
    `select 1 from invites where id = $1 or inviter_id = $2 and state = 'pending' and email_key = (
       select u.email_key from invites i join users u on u.id = i.inviter_id where i.id = $1)
     order by id for update`,
    [id, userId],
  );
}

/** The caller's own pending invitations to whoever invited them. */
function findCrossed(sql: Sql, userId: string, inviterId: string, now: Date): Promise<Crossed[]> {
  return sql.query<Crossed>(
    `select i.id, p.id as claim from invites i join users u on u.id = $2 and u.email_key = i.email_key and u.role = i.role
       left join partnerships p on p.developer_id = i.inviter_id and p.id = i.partnership_id and p.status = 'named'
     where i.inviter_id = $1 and i.state = 'pending' and i.expires_at > $3`,
    [userId, inviterId, now],
  );
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
