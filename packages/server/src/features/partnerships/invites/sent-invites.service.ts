import { sql } from 'kysely';
import { lockAccount } from '#features/accounts';
import type { Principal, Role } from '#platform/access/access.ts';
import { type Clock, DAY } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import type { Columns } from '#platform/db/tables.ts';
import { takeCausedEmails } from '#platform/email/caused-emails.ts';
import { AppError, invalidField, notFound } from '#platform/errors.ts';
import { decodeIdCursor, pageOf } from '#platform/http/answers/cursor.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import type { Random } from '#platform/random.ts';
import { emailKey } from '#platform/text/email-address.ts';
import { type PartnershipsDb, type PartnershipsHandle, tables } from '../tables.ts';
import type { InviteEmails } from './invite-emails.service.ts';
import { findSent, listSent, partnersAmong } from './invites.queries.ts';
import type { InvitesSent, SentInvite, SentInviteQuery } from './invites.schemas.ts';
import { limits as policies } from './limits.ts';

const LIFETIME = 30 * DAY;
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

interface Terms {
  message: string | null;
  commissionBps: number;
  partnershipId: string | null;
}

const KNOWN = ['id', 'email_key', 'state', 'sent_at', 'request_id', 'commission_bps', 'partnership_id'] as const;

type Known = Columns<'invites', (typeof KNOWN)[number]>;

/** Invitations from the side of whoever sends them. */
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
      await this.#expire(tx, now, caller.accountId);
      const keys = [...wanted.keys()];
      const known = await this.#latest(tx, caller.accountId, keys);
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
      const ended = await withdrawn(tx, caller.accountId, id, now);
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
    const asked = await ofInviter(db, caller.accountId, id).select('email').executeTakeFirst();
    if (!asked) throw notFound('Invitation');
    await takeCausedEmails(limits, caller.accountId, [asked.email]);
    return db.work({ tx: true }, async (tx) => {
      const now = clock.now();
      const invite = await ofInviter(tx, caller.accountId, id)
        .select(['state', 'sent_at', 'request_id', 'message', 'expires_at'])
        .forUpdate()
        .executeTakeFirst();
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
    await this.#expire(db, now);
    await db
      .deleteFrom('invites')
      .where('answered_at', '<=', new Date(now.getTime() - 180 * DAY))
      .execute();
  }

  /** In the transaction that deletes an account: those it sent, and those to its address. */
  async deleteOf(handle: Sql, accountId: string): Promise<void> {
    await sql`delete from invites where inviter_id = ${accountId}
      or email_key = (select email_key from users where id = ${accountId})`.execute(tables.in(handle));
  }

  /** @throws {AppError} invalid_request for another developer's reseller; conflict for one with an account. */
  async #terms(tx: PartnershipsHandle, developerId: string, order: Order): Promise<Terms> {
    const { message, commissionRate, partnershipId = null } = order;
    const given = commissionRate == null ? undefined : Math.round(commissionRate * 100);
    if (!partnershipId) return { message, commissionBps: given ?? DEFAULT_BPS, partnershipId };
    const named = await tx
      .selectFrom('partnerships')
      .select(['commission_bps', 'status'])
      .where('id', '=', partnershipId)
      .where('developer_id', '=', developerId)
      .executeTakeFirst();
    if (!named) throw invalidField('partnership_id', 'Reseller not found.');
    if (named.status !== 'named') throw new AppError('conflict', 'This reseller already has an account.');
    return { message, commissionBps: given ?? named.commission_bps, partnershipId };
  }

  /** The newest invitation to each address. A pending one stays pending until the transaction ends. */
  async #latest(tx: PartnershipsHandle, inviterId: string, keys: string[]): Promise<Map<string, Known>> {
    const theirs = tx.selectFrom('invites').where('inviter_id', '=', inviterId).where('email_key', 'in', keys);
    await theirs.select('id').where('state', '=', 'pending').orderBy('id').forUpdate().execute();
    // a separate statement, so that it sees answers that the first one waited for
    const rows = await theirs
      .select(KNOWN)
      .distinctOn('email_key')
      .orderBy('email_key')
      .orderBy('id', 'desc')
      .execute();
    return new Map(rows.map((row) => [row.email_key, row]));
  }

  /** What an invitation offers never changes, because its page may be open: other terms are a new invitation. */
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
      await withdrawn(tx, inviterId, before.id, this.#deps.clock.now());
    }
    return this.#insert(tx, inviterId, requestId, invite);
  }

  async #insert(
    tx: PartnershipsHandle,
    inviterId: string,
    requestId: string,
    invite: Terms & { role: Role; email: string },
  ): Promise<string> {
    const { clock, random } = this.#deps;
    const [id, now] = [random.id(), clock.now()];
    const { role, email, partnershipId, commissionBps, message } = invite;
    await tx
      .insertInto('invites')
      .values({
        id,
        inviter_id: inviterId,
        role,
        email,
        email_key: emailKey(email),
        partnership_id: partnershipId,
        commission_bps: commissionBps,
        message,
        state: 'pending',
        request_id: requestId,
        created_at: now,
        sent_at: now,
        expires_at: new Date(now.getTime() + LIFETIME),
      })
      .execute();
    return id;
  }

  async #renew(tx: PartnershipsHandle, id: string, requestId: string, message: string | null): Promise<string> {
    const now = this.#deps.clock.now();
    await tx
      .updateTable('invites')
      .set({ request_id: requestId, sent_at: now, expires_at: new Date(now.getTime() + LIFETIME), message })
      .where('id', '=', id)
      .execute();
    return id;
  }

  async #expire(handle: PartnershipsHandle, now: Date, inviterId?: string): Promise<void> {
    await handle
      .updateTable('invites')
      .set((eb) => ({ state: 'expired' as const, answered_at: eb.ref('expires_at') }))
      .where('state', '=', 'pending')
      .where('expires_at', '<=', now)
      .$if(inviterId !== undefined, (all) => all.where('inviter_id', '=', inviterId as string))
      .execute();
  }

  async #assertRoom(tx: PartnershipsHandle, inviterId: string): Promise<void> {
    const { pending } = await tx
      .selectFrom('invites')
      .select((eb) => eb.fn.countAll<number>().as('pending'))
      .where('inviter_id', '=', inviterId)
      .where('state', '=', 'pending')
      .executeTakeFirstOrThrow();
    if (pending <= MOST_PENDING) return;
    throw new AppError('domain_rule', `At most ${MOST_PENDING} invitations can be pending. Withdraw some first.`);
  }
}

const ofInviter = (handle: PartnershipsHandle, inviterId: string, id: string) =>
  handle.selectFrom('invites').where('id', '=', id).where('inviter_id', '=', inviterId);

/** Withdraws an invitation that is pending; undefined when it is not. */
const withdrawn = (tx: PartnershipsHandle, inviterId: string, id: string, now: Date) =>
  tx
    .updateTable('invites')
    .set({ state: 'withdrawn', answered_at: now })
    .where('id', '=', id)
    .where('inviter_id', '=', inviterId)
    .where('state', '=', 'pending')
    .returning('id')
    .executeTakeFirst();

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
