import { lockAccount } from '#features/accounts';
import type { Principal, Role } from '#platform/access/access.ts';
import { type Clock, DAY } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { takeCausedEmails } from '#platform/email/caused-emails.ts';
import { AppError, invalidField, notFound } from '#platform/errors.ts';
import { decodeIdCursor, pageOf } from '#platform/http/answers/cursor.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import type { Random } from '#platform/random.ts';
import { emailKey } from '#platform/text/email-address.ts';
import { type PartnershipsDb, type PartnershipsHandle, tables } from '../tables.ts';
import type { InviteEmails } from './invite-emails.service.ts';
import type { InvitesSent, SentInvite, SentInviteQuery } from './invites.schemas.ts';
import { limits as policies } from './limits.ts';
import {
  addInvite,
  countSentPending,
  deleteInvitesOf,
  expireInvites,
  findSent,
  forgetInvites,
  invitedAddress,
  type Known,
  listSent,
  lockSent,
  newestTo,
  partnersAmong,
  renewInvite,
  resellerTerms,
  type Terms,
  withdrawInvite,
} from './sent-invites.queries.ts';

const LIFETIME = 30 * DAY;
/** After their end. */
const KEPT = 180 * DAY;
/** An address gets at most one email a day from the same account. */
const PAUSE = DAY;
const MOST_PENDING = 200;
const DEFAULT_BPS = 2000;

interface Dependencies {
  db: PartnershipsDb;
  clock: Clock;
  random: Random;
  limits: RateLimits;
  inviteEmails: InviteEmails;
}

interface Order {
  /** Role of those who are invited. */
  role: Role;
  emails: string[];
  message: string | null;
  /** In percent; undefined: the default. */
  commissionRate?: number | null | undefined;
  /** The named reseller that accepting claims. */
  partnershipId?: string | null | undefined;
}

/** Invitations, as the inviting account sees them. */
export class SentInvites {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Invites every address that can be invited, and reports the others with the reason. An address whose invitation is
   * pending is sent it again, at most once a day; at another rate or for another named reseller, a new invitation takes
   * its place. Nothing in the answer depends on whether an address has an account.
   * @param requestId a repeat with the same id changes nothing and gets the same answer.
   * @throws {AppError} the reason, when no address can be invited; domain_rule over 200 pending ones; rate_limited.
   */
  async send(caller: Principal, requestId: string, order: Order): Promise<InvitesSent> {
    const { db, clock, limits, inviteEmails } = this.#deps;
    const wanted = new Map(order.emails.map((email) => [emailKey(email), email]));
    for (const _ of wanted) await limits.take(policies.invites, caller.accountId);
    await takeCausedEmails(limits, caller.accountId, order.emails);
    return db.work({ tx: true }, async (tx) => {
      const now = clock.now();
      const own = emailKey(await lockAccount(tx, caller));
      const terms = await this.#terms(tx, caller.accountId, order);
      await expireInvites(tx, now, caller.accountId);
      const keys = [...wanted.keys()];
      const known = await newestTo(tx, caller.accountId, keys);
      // after the lock, so that an acceptance that it waited for counts
      const partners = await partnersAmong(tx, caller.accountId, keys);
      const sent: string[] = [];
      const due: string[] = [];
      const refused: { email: string; error: AppError }[] = [];
      for (const [key, email] of wanted) {
        const before = known.get(key);
        if (before?.state === 'pending' && before.request_id === requestId) {
          sent.push(before.id);
          continue;
        }
        const error = obstacle({
          isOwn: key === own,
          isPartner: partners.has(key),
          claims: !!terms.partnershipId,
          before,
          now,
        });
        if (error) refused.push({ email, error });
        else {
          const id = await this.#offer(tx, caller.accountId, requestId, { ...terms, role: order.role, email }, before);
          sent.push(id);
          due.push(id);
        }
      }
      if (sent.length === 0) throw refused[0]?.error;
      await this.#assertRoom(tx, caller.accountId);
      await inviteEmails.request(
        tx,
        due.map((inviteId) => ({ inviteId, email: true })),
      );
      const skipped = refused.map(({ email, error }) => ({ email, message: error.message }));
      const message = sent.length === 1 ? 'Invitation sent successfully!' : `${sent.length} invitations sent.`;
      return { message, invites: await findSent(tx, caller.accountId, now, sent), skipped };
    });
  }

  async list(caller: Principal, query: SentInviteQuery) {
    const { db, clock } = this.#deps;
    const page = { state: query.state, after: decodeIdCursor(query.cursor), limit: query.limit + 1 };
    return pageOf(await listSent(db, caller.accountId, clock.now(), page), query.limit);
  }

  /** Repeating it changes nothing. @throws {AppError} not_found; conflict when it was answered. */
  async withdraw(caller: Principal, id: string): Promise<SentInvite> {
    const { db, clock, inviteEmails } = this.#deps;
    return db.work({ tx: true }, async (tx) => {
      const now = clock.now();
      const ended = await withdrawInvite(tx, caller.accountId, id, now);
      if (ended) await inviteEmails.request(tx, [{ inviteId: id, email: false }]);
      const [invite] = await findSent(tx, caller.accountId, now, [id]);
      if (!invite) throw notFound('Invitation');
      if (invite.state !== 'withdrawn') throw new AppError('conflict', `This invitation is already ${invite.state}.`);
      return invite;
    });
  }

  /**
   * Emails a pending invitation again; it then lasts another 30 days.
   * @throws {AppError} not_found; conflict when it is not pending; rate_limited within a day of the last time.
   */
  async resend(caller: Principal, requestId: string, id: string): Promise<SentInvite> {
    const { db, clock, limits, inviteEmails } = this.#deps;
    await limits.take(policies.invites, caller.accountId);
    const address = await invitedAddress(db, caller.accountId, id);
    if (address === undefined) throw notFound('Invitation');
    await takeCausedEmails(limits, caller.accountId, [address]);
    return db.work({ tx: true }, async (tx) => {
      const now = clock.now();
      const invite = await lockSent(tx, caller.accountId, id);
      if (!invite) throw notFound('Invitation');
      const state = invite.expires_at <= now && invite.state === 'pending' ? 'expired' : invite.state;
      if (state !== 'pending') throw new AppError('conflict', `This invitation is already ${state}.`);
      if (invite.request_id !== requestId) {
        if (tooEarly(invite, now)) throw waitFor(invite, now);
        await this.#renew(tx, id, requestId, invite.message);
        await inviteEmails.request(tx, [{ inviteId: id, email: true }]);
      }
      return (await findSent(tx, caller.accountId, now, [id]))[0] as SentInvite;
    });
  }

  /** Hourly: marks what nobody answered in time, and forgets addresses half a year after the end. */
  async expire(): Promise<void> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    await expireInvites(db, now);
    await forgetInvites(db, new Date(now.getTime() - KEPT));
  }

  /** Deletes invitations from an account and to its address, in the transaction that deletes the account. */
  async deleteOf(handle: Sql, accountId: string): Promise<void> {
    await deleteInvitesOf(tables.in(handle), accountId);
  }

  /** @throws {AppError} invalid_request for another developer's reseller; conflict for one with an account. */
  async #terms(tx: PartnershipsHandle, developerId: string, order: Order): Promise<Terms> {
    const { message, commissionRate, partnershipId = null } = order;
    const given = commissionRate == null ? undefined : Math.round(commissionRate * 100);
    if (!partnershipId) return { message, commissionBps: given ?? DEFAULT_BPS, partnershipId };
    const named = await resellerTerms(tx, developerId, partnershipId);
    if (!named) throw invalidField('partnership_id', 'Reseller not found.');
    if (named.status !== 'named') throw new AppError('conflict', 'This reseller already has an account.');
    return { message, commissionBps: given ?? named.commission_bps, partnershipId };
  }

  /** The terms of an invitation never change, because its page may be open: other terms are a new invitation. */
  async #offer(
    tx: PartnershipsHandle,
    inviterId: string,
    requestId: string,
    invite: Terms & { role: Role; email: string },
    before: Known | undefined,
  ): Promise<string> {
    if (before?.state === 'pending') {
      const { commission_bps, partnership_id } = before;
      const isSame = commission_bps === invite.commissionBps && partnership_id === invite.partnershipId;
      if (isSame) return this.#renew(tx, before.id, requestId, invite.message);
      await withdrawInvite(tx, inviterId, before.id, this.#deps.clock.now());
    }
    const id = this.#deps.random.id();
    await addInvite(tx, { ...invite, id, inviterId, requestId, ...this.#lasting() });
    return id;
  }

  async #renew(tx: PartnershipsHandle, id: string, requestId: string, message: string | null): Promise<string> {
    await renewInvite(tx, { id, requestId, message, ...this.#lasting() });
    return id;
  }

  /** The lifetime of an invitation that is sent now. */
  #lasting(): { now: Date; expiresAt: Date } {
    const now = this.#deps.clock.now();
    return { now, expiresAt: new Date(now.getTime() + LIFETIME) };
  }

  async #assertRoom(tx: PartnershipsHandle, inviterId: string): Promise<void> {
    if ((await countSentPending(tx, inviterId)) <= MOST_PENDING) return;
    throw new AppError('domain_rule', `At most ${MOST_PENDING} invitations can be pending. Withdraw some first.`);
  }
}

interface Situation {
  isOwn: boolean;
  isPartner: boolean;
  claims: boolean;
  before: Known | undefined;
  now: Date;
}

/** Why an address can't be invited now, as far as the caller knows anyway. */
function obstacle({ isOwn, isPartner, claims, before, now }: Situation): AppError | undefined {
  if (isOwn) return new AppError('domain_rule', 'You cannot invite yourself.');
  if (isPartner && claims)
    return new AppError('conflict', 'You already work together. Merge the named reseller into theirs instead.');
  if (isPartner) return new AppError('conflict', 'You already work together.');
  if (!before || !tooEarly(before, now)) return undefined;
  if (before.state !== 'pending') return waitFor(before, now);
  return new AppError(
    'conflict',
    `An invitation to this address is already pending. You can send it again in ${wait(before, now).words}.`,
  );
}

function tooEarly({ sent_at }: Pick<Known, 'sent_at'>, now: Date): boolean {
  return now.getTime() - sent_at.getTime() < PAUSE;
}

function wait({ sent_at }: Pick<Known, 'sent_at'>, now: Date): { seconds: number; words: string } {
  const seconds = Math.ceil((sent_at.getTime() + PAUSE - now.getTime()) / 1000);
  const hours = Math.ceil(seconds / 3600);
  return { seconds, words: hours === 1 ? '1 hour' : `${hours} hours` };
}

function waitFor(before: Pick<Known, 'sent_at'>, now: Date): AppError {
  const { seconds, words } = wait(before, now);
  return new AppError('rate_limited', `This address can get one invitation a day from you. Try again in ${words}.`, {
    retryAfter: seconds,
  });
}
