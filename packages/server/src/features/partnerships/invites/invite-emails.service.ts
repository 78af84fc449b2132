import type { Role } from '#features/accounts';
import type { EmailSwitches } from '#features/emails';
import type { Clock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import type { EmailQueue } from '#platform/email/mailer.ts';
import { AppError } from '#platform/errors.ts';
import type { Publisher } from '#platform/events.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import { jobKind } from '#platform/jobs/job.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { TokenMint } from '#platform/secrets/jwt.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import type { PartnershipsDb, PartnershipsHandle } from '../tables.ts';
import { answerEmail, invitationEmail } from './invite-emails.ts';
import { countPending, findInviteToEmail, type InviteEmailRow } from './invites.queries.ts';
import type { InvitesEvent } from './invites.schemas.ts';
import { limits as policies } from './limits.ts';

/** An invitation was sent, or its state changed. The invited account is notified, if the address has one. */
interface InviteEmail {
  inviteId: string;
  /** Whether the invitation itself is to be emailed. */
  email: boolean;
}

export const inviteEmailJob = jobKind<InviteEmail>({
  name: 'invite-notice',
  retryLimit: 5,
  retryDelay: 5,
  expireInSeconds: 60,
  deleteAfterSeconds: 3600,
  isEmail: true,
});

/** The content of the link in the email. The page shows the address before anybody is signed in. */
interface InviteLink {
  invite: string;
  email: string;
  role: Role;
}

interface Dependencies {
  db: PartnershipsDb;
  clock: Clock;
  jobs: Jobs;
  limits: RateLimits;
  emailQueue: EmailQueue;
  emailSwitches: EmailSwitches;
  events: Publisher<InvitesEvent>;
  links: TokenMint<InviteLink>;
  publicUrl: string;
}

export const inviteLinks = (secrets: Secrets, clock: Clock) => new TokenMint<InviteLink>(secrets, 'invite', clock);

/** Emails and live events about invitations. */
export class InviteEmails {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Looks nothing up about the invited address. A job does, so that neither the answer to the inviter nor the time it takes
   * depends on whether the address has an account.
   */
  async request(tx: Sql, emails: InviteEmail[]): Promise<void> {
    await this.#deps.jobs.enqueueAll(tx, inviteEmailJob, emails);
  }

  /** The job. */
  async run({ inviteId, email }: InviteEmail): Promise<void> {
    const { db, clock } = this.#deps;
    const invite = await findInviteToEmail(db, inviteId, clock.now());
    if (!invite) return;
    const mayEmail = email && invite.is_open && (await this.#mayEmail(invite.email_key));
    await db.work({ tx: true }, async (tx) => {
      if (mayEmail) await this.#email(tx, inviteId, invite);
      if (invite.account_id && invite.account_verified && invite.account_role === invite.role) {
        await this.publishPending(tx, invite.account_id, clock.now());
      }
    });
  }

  /** Reports to a signed-in account that its invitations have changed, those it sent included. */
  async publishPending(tx: PartnershipsHandle, accountId: string, now: Date): Promise<void> {
    const pending = await countPending(tx, accountId, now);
    await this.#deps.events.publish(tx, accountId, { type: 'invites', data: { pending } });
  }

  async emailAnswer(
    tx: Sql,
    answer: { to: string; inviterRole: Role; by: string; byEmail: string; accepted: boolean },
  ) {
    const { emailQueue, publicUrl } = this.#deps;
    const url = `${publicUrl}${answer.inviterRole === 'developer' ? '/dashboard/resellers' : '/reseller/partners'}`;
    await emailQueue.queue(tx, answerEmail({ ...answer, url }));
  }

  async #email(tx: Sql, id: string, invite: InviteEmailRow): Promise<void> {
    const { emailQueue, emailSwitches, links, clock, publicUrl } = this.#deps;
    const { role, email, message, commission_rate, expires_at, inviter_name, inviter_email, account_role } = invite;
    // an unverified account may have been opened by somebody else, whose settings don't count for this address
    const accountId = invite.account_verified ? invite.account_id : null;
    const account = accountId ? await emailSwitches.recipientOf(tx, accountId, 'inquiries') : undefined;
    // the account still finds the invitation in its list
    if (account === null) return;
    const token = links.sign({ invite: id, email, role }, expires_at.getTime() - clock.now().getTime());
    const invitation = invitationEmail({
      to: email,
      from: accountId ? inviter_name : null,
      fromEmail: inviter_email,
      role,
      // an address that never dealt with us gets no stranger's words by email: the invitation's page has the message
      message: accountId ? message : null,
      commissionRate: commission_rate,
      expiresAt: expires_at,
      timeZone: account?.timeZone ?? invite.inviter_zone,
      url: `${publicUrl}/invite?token=${token}`,
      wrongRole: account_role !== null && account_role !== role,
      unsubscribeUrl: account?.unsubscribeUrl,
    });
    await emailQueue.queue(tx, invitation);
  }

  /** Nobody's mailbox is filled by many accounts that invite it. The invitation itself stays. */
  async #mayEmail(emailKey: string): Promise<boolean> {
    try {
      await this.#deps.limits.take(policies.invite_address, emailKey);
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'rate_limited') return false;
      throw error;
    }
  }
}
