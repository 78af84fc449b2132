import { lockAccount, verifyAddress } from '#features/accounts';
import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import { AppError, notFound } from '#platform/errors.ts';
import { decodeIdCursor, type Page, pageOf } from '#platform/http/answers/cursor.ts';
import type { Random } from '#platform/random.ts';
import type { TokenMint } from '#platform/secrets/jwt.ts';
import { connect } from '../connect.ts';
import type { StockMoves } from '../merge.ts';
import type { PartnershipsDb, PartnershipsHandle } from '../tables.ts';
import type { InviteEmails } from './invite-emails.service.ts';
import {
  answerInvites,
  type Crossed,
  countPending,
  findCrossed,
  findInvite,
  type HeldInvite,
  holdInvite,
  listReceived,
  lockWithCrossed,
  previewInvite,
} from './invites.queries.ts';
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

/** Invitations, as the invited account sees them. */
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
   * Shows the invitation of a link to the holder of the link, who has read in its email what is shown here. No account
   * is needed, none is verified, and the inviter's own words are shown only after signing in.
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
      const invited = await holdInvite(tx, caller.accountId, link.invite);
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
      const invite = await holdInvite(tx, caller.accountId, id);
      if (!invite) throw notFound('Invitation');
      assertRole(invite, caller);
      const state = accepted ? 'accepted' : 'rejected';
      const answer = { message: accepted ? 'Invitation accepted.' : 'Invitation rejected.', state } as const;
      if (invite.state === state) return { ...answer, partnership_id: accepted ? invite.partnership_id : null };
      assertOpen(invite, now);
      const crossed = accepted ? await findCrossed(tx, caller.accountId, invite.inviter_id, now) : [];
      const partnershipId = accepted ? await this.#connect(tx, caller, invite, crossed) : null;
      await answerInvites(tx, [id, ...crossed.map((each) => each.id)], { state, partnershipId, now });
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

  #connect(tx: PartnershipsHandle, caller: Principal, invite: HeldInvite, crossed: Crossed[]): Promise<string> {
    const [developerId, resellerId] =
      invite.role === 'reseller' ? [invite.inviter_id, caller.accountId] : [caller.accountId, invite.inviter_id];
    const { commission_bps: commissionBps } = invite;
    const claim = invite.partnership_id ?? crossed.find((each) => each.claim !== null)?.claim ?? null;
    const invited = { by: invite.inviter_id, at: invite.created_at };
    const partners = { developerId, resellerId, commissionBps, claim, invited, acceptedBy: caller.accountId };
    return connect(tx, this.#deps, partners);
  }
}

function assertRole(invite: HeldInvite, { role }: Principal): void {
  if (invite.role !== role) throw new AppError('forbidden', `This invitation is for ${invite.role}s.`);
}

function assertOpen(invite: HeldInvite, now: Date): void {
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
