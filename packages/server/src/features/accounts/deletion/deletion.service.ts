import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import type { EmailQueue } from '#platform/email/mailer.ts';
import { AppError } from '#platform/errors.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import { toDollars } from '#platform/money.ts';
import type { Device } from '#platform/network/device.ts';
import type { PasswordHash } from '#platform/secrets/password-hash.ts';
import { accountDeletedEmail } from '../account-emails/security-emails.ts';
import { lockAccount } from '../credentials/lock-account.ts';
import { confirmPassword } from '../passwords/confirm-password.ts';
import type { AccountsDb, AccountsHandle } from '../tables.ts';
import type { AccountDeletion, DeleteAccountBody } from './deletion.schemas.ts';
import { takeAccount } from './hold-accounts.ts';

interface Dependencies {
  db: AccountsDb;
  clock: Clock;
  emailQueue: EmailQueue;
  limits: RateLimits;
  passwordHash: PasswordHash;
  onDelete: (...args: Parameters<OnDelete>) => Promise<() => Promise<void>>;
  countUnpaid: CountUnpaid;
  lastBill: LastBillOf;
  closeMonths: OnDelete;
  unlocks: Unlocks;
  publicUrl: string;
}

/** Port: payout statements of an account, on either side. */
export type CountUnpaid = (sql: Sql, accountId: string) => Promise<Unpaid>;

interface Unpaid {
  /** That are unpaid. */
  statements: number;
  /** That the months which are not closed yet will make, with something to pay. */
  open: number;
}

/** Port: what an account owes us when it is deleted now, in cents. */
export type LastBillOf = (
  sql: Sql,
  accountId: string,
) => Promise<{
  months: { month: string; total_cents: number }[];
  outstanding: { invoices: number; total_cents: number };
  collected: boolean;
}>;

/** Port: the unlocks for good of a developer's products. */
export interface Unlocks {
  standing(sql: Sql, accountId: string): Promise<{ products: number; published: number }>;
  publishAll(sql: Sql, accountId: string, audience: 'owners' | 'everyone'): Promise<void>;
}

/** Port: follow-up work of an account's deletion, in its transaction and before the name is blanked. */
export type OnDelete = (sql: Sql, accountId: string) => Promise<void>;

/** Tables that store who can sign in, and from where. */
const CREDENTIALS = [
  'sessions',
  'access_tokens',
  'oidc_trusts',
  'password_resets',
  'email_verifications',
  'recovery_codes',
  'known_places',
] as const;

/** Deletes accounts. */
export class AccountDeletions {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Ends all sessions and tokens, blanks personal data, and keeps the row that the ledger references. From then on
   * nothing can be redeemed; what customers own keeps working, and they are notified.
   */
  async delete(caller: Principal, form: DeleteAccountBody, device: Device): Promise<void> {
    await confirmPassword(this.#deps, caller.accountId, form.password, 'password');
    const { db, clock, emailQueue, onDelete, countUnpaid, closeMonths, unlocks, publicUrl } = this.#deps;
    const { accountId, timeZone } = caller;
    const afterwards = await db.work({ tx: true }, async (tx) => {
      const address = await takeAccount(tx, accountId);
      if (address === undefined) return null;
      await lockAccount(tx, caller);
      // written before anything of many developers is read: see docs/scaling.md
      await loseRights(tx, accountId);
      if (!form.unpaid) refuseUnpaid(await countUnpaid(tx, accountId));
      // in the same transaction: a closed account cannot make up for it
      if (form.unlock !== 'none') await unlocks.publishAll(tx, accountId, form.unlock);
      // while the account still has the name that its last statements carry
      await closeMonths(tx, accountId);
      const occasion = { to: address, timeZone, device, at: clock.now(), publicUrl };
      await emailQueue.queue(tx, accountDeletedEmail(occasion));
      for (const table of CREDENTIALS) await tx.deleteFrom(table).where('user_id', '=', accountId).execute();
      const after = await onDelete(tx, accountId);
      await anonymize(tx, accountId, clock.now());
      return after;
    });
    await afterwards?.();
  }

  /** Previews a deletion for the account that is about to request it: what it would leave unpaid, close and bill. */
  async preview({ accountId }: Principal): Promise<AccountDeletion> {
    const { db, countUnpaid, lastBill, unlocks } = this.#deps;
    const [unpaid, bill] = [await countUnpaid(db, accountId), await lastBill(db, accountId)];
    const unlocked = await unlocks.standing(db, accountId);
    const total = bill.months.reduce((cents, { total_cents }) => cents + total_cents, bill.outstanding.total_cents);
    return {
      unpaid_statements: unpaid.statements,
      open_statements: unpaid.open,
      months: bill.months.map(({ month, total_cents }) => ({ month, total: toDollars(total_cents) })),
      open_invoices: bill.outstanding.invoices,
      open_total: toDollars(bill.outstanding.total_cents),
      total: toDollars(total),
      products: unlocked.products,
      unlocked_products: unlocked.published,
      charges_card: bill.collected && total > 0,
    };
  }
}

/** Removes the rights that the account had beyond others, and its second factor. */
async function loseRights(tx: AccountsHandle, accountId: string): Promise<void> {
  await tx
    .updateTable('users')
    .set({ is_admin: false, two_factor_secret: null, two_factor_since: null, two_factor_step: null })
    .where('id', '=', accountId)
    .execute();
}

/** Removes personal data. The row stays, because the ledger points at it. */
async function anonymize(tx: AccountsHandle, accountId: string, now: Date): Promise<void> {
  await tx
    .updateTable('users')
    .set({
      email: 'deleted',
      email_key: null,
      email_verified_at: null,
      password_hash: null,
      first_name: '',
      last_name: '',
      company_name: null,
      website_url: null,
      support_email: null,
      support_url: null,
      business_address: null,
      tax_id: null,
      logo_url: null,
      deleted_at: now,
    })
    .where('id', '=', accountId)
    .execute();
}

/** @throws {AppError} unpaid_statements */
function refuseUnpaid({ statements, open }: Unpaid): void {
  const words = (count: number) => (count === 1 ? '1 payout statement is' : `${count} payout statements are`);
  const problems = [
    statements > 0 ? `${words(statements)} unpaid. Settle ${statements === 1 ? 'it' : 'them'} first.` : '',
    open > 0 ? `${words(open)} still to come, of sales in a month that is not closed yet.` : '',
  ].filter((problem) => problem !== '');
  if (problems.length > 0) throw new AppError('unpaid_statements', problems.join(' '));
}
