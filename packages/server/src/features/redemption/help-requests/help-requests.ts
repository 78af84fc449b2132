import { DownloadProofs } from '#features/customers';
import { findInText } from '#features/serials';
import type { Clock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { AppError, notFound } from '#platform/errors.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import { stillProven } from '../downloads/proven.ts';
import { limits as policies } from '../limits.ts';
import type { RedemptionDb } from '../tables.ts';
import { findAsker } from './help-requests.queries.ts';

/** Port: an email to the developer that is answered to the customer, queued in the caller's transaction. */
export interface HelpEmails {
  helpRequested(
    sql: Sql,
    fact: {
      developerId: string;
      serialId: string;
      product: string;
      code: string;
      email: string;
      name: string | null;
      downloads: string;
      message: string;
    },
  ): Promise<void>;
}

interface Dependencies {
  db: RedemptionDb;
  clock: Clock;
  secrets: Secrets;
  limits: RateLimits;
  emails: HelpEmails;
}

/** The way to a developer who has published no support address, which stays unknown to the customer. */
export class HelpRequests {
  readonly #deps: Dependencies;
  readonly #proofs: DownloadProofs;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#proofs = new DownloadProofs(deps);
  }

  /**
   * Only for those who have proven that they own the serial: nobody else can make us send email to a developer.
   * @throws {AppError} download_token_invalid, not_found, developer_gone, rate_limited
   */
  async send(form: { download_token: string; serial: string; message: string }): Promise<void> {
    const { db, limits, emails } = this.#deps;
    const proven = this.#proofs.serialsOf(form.download_token);
    if (!proven) throw new AppError('download_token_invalid', 'Open your downloads again with your serial.');
    // the owner before a transfer no longer owns the serial
    const serials = await stillProven(db, proven.serials, proven.at);
    const found = await findInText(form.serial, (key) => findAsker(db, serials, key));
    if (!found) throw notFound('Serial');
    if (found.closed) throw new AppError('developer_gone', 'The maker of this plugin has closed their account.');
    await limits.take(policies.help_serial, found.serialId);
    await limits.take(policies.help_developer, found.developerId);
    await db.work({ tx: true }, (tx) => emails.helpRequested(tx, { ...found, message: form.message }));
  }
}
