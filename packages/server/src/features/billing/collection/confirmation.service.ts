import type { Clock } from '#platform/clock.ts';
import { AppError, notFound } from '#platform/errors.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import { type Payments, tryLater } from '#platform/payments/payments.ts';
import { customerRow } from '../cards/cards.queries.ts';
import { limits } from '../limits.ts';
import type { BillingDb } from '../tables.ts';
import { asksToConfirm } from './attention.ts';
import { heldBackUntil } from './collection-rules.ts';
import { type DueStatement, holdBack, lastCharge, readStatement } from './due.queries.ts';
import type { Outcomes } from './outcomes.service.ts';

interface Dependencies {
  db: BillingDb;
  clock: Clock;
  limits: RateLimits;
  payments: Payments | null;
  outcomes: Outcomes;
}

interface Confirmation {
  status: 'to_confirm' | 'paid';
  client_secret: string | null;
  payment_method: string | null;
}

const PAID: Confirmation = { status: 'paid', client_secret: null, payment_method: null };

/**
 * A payment that the cardholder's bank declines unless it asks the cardholder. The browser confirms it with a secret of
 * Stripe's. The next call or event reads the result from Stripe, so that it counts once, whichever comes first.
 */
export class Confirmations {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** @throws {AppError} not_found, conflict, payments_not_configured, unavailable */
  async of(developerId: string, id: string): Promise<Confirmation> {
    const { db, payments, limits: rates } = this.#deps;
    const key = { developer_id: developerId, id };
    const statement = await readStatement(db, key);
    if (!statement) throw notFound('Invoice');
    if (!payments) throw new AppError('payments_not_configured');
    await rates.take(limits.confirmations, developerId);
    try {
      return await this.#of(payments, statement);
    } catch (cause) {
      throw tryLater(cause);
    }
  }

  async #of(payments: Payments, statement: DueStatement): Promise<Confirmation> {
    const { db, outcomes } = this.#deps;
    const { stripe_invoice_id: invoiceId } = statement;
    if (statement.state === 'paid') return PAID;
    const found = invoiceId ? await payments.invoiceWithSecret(invoiceId) : null;
    if (found && found.invoice.status !== 'draft' && (await outcomes.apply(statement, found.invoice))) {
      if (found.invoice.status === 'paid') return PAID;
      throw new AppError('conflict', 'This invoice is no longer charged.');
    }
    const card = await customerRow(db, statement.developer_id);
    if (!found?.secret || !card?.payment_method_id || !asksToConfirm(statement))
      throw new AppError('conflict', 'There is no payment to confirm.');
    await this.#holdBack(statement);
    return { status: 'to_confirm', client_secret: found.secret, payment_method: card.payment_method_id };
  }

  /** While the bank asks, no charge of ours may end what it is asking. */
  async #holdBack(statement: DueStatement): Promise<void> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    const { attempts, first_failed_at: first } = statement;
    const last = await lastCharge(db, statement);
    const until = heldBackUntil(now, { attempts, first: first ?? now, last: last ?? now });
    if (!(await holdBack(db, statement, now, until)))
      throw new AppError('conflict', 'This invoice is being charged just now. Please try again in a minute.');
  }
}
