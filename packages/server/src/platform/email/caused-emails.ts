import { AppError } from '../errors.ts';
import { type RateLimits, rateLimitPolicies } from '../http/limits/rate-limits.ts';
import { emailKey } from '../text/email-address.ts';

const policies = rateLimitPolicies({
  /** Emails to one recipient that one account causes by its own acts, whatever they are about. */
  caused_recipient: { points: 10, seconds: 24 * 60 * 60, shared: true },
  /** Such emails of one account, to whomever. */
  caused_emails: { points: 300, seconds: 24 * 60 * 60, shared: true },
});

/**
 * Counts the emails that an account is about to cause. Every call by which somebody has others emailed asks this or {@link mayCauseEmail},
 * besides limits of its own, and before its transaction. For acts whose point is the email, or that can wait for tomorrow.
 * @throws {AppError} rate_limited
 */
export async function takeCausedEmails(
  limits: RateLimits,
  accountId: string,
  recipients: readonly string[],
): Promise<void> {
  for (const key of new Set(recipients.map(emailKey))) {
    await limits.take(policies.caused_recipient, `${accountId} ${key}`);
    await limits.take(policies.caused_emails, accountId);
  }
}

/** The same for acts that no limit may refuse, such as recording a payment: past it they happen without an email. */
export async function mayCauseEmail(limits: RateLimits, accountId: string, recipient: string): Promise<boolean> {
  try {
    await takeCausedEmails(limits, accountId, [recipient]);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') return false;
    throw error;
  }
}
