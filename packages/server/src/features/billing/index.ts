import type { Database, Sql } from '#platform/db/database.ts';
import type { EmailQueue } from '#platform/email/mailer.ts';
import type { Base } from '#platform/feature.ts';
import { jobWorker } from '#platform/jobs/job.ts';
import { CardEvent } from './cards/card-event.ts';
import { removeCardJob } from './cards/card-jobs.ts';
import { CardSync } from './cards/card-sync.service.ts';
import { cardRoutes } from './cards/cards.routes.ts';
import { Cards } from './cards/cards.service.ts';
import { DepartedCustomers, departedCustomersJob } from './cards/departed-customers.service.ts';
import { ExpiringCards, expiringCardsJob } from './cards/expiring-cards.service.ts';
import { StripeCustomers } from './cards/stripe-customers.ts';
import { BillingEvent } from './collection/billing-event.ts';
import { Collection, collectDueJob, collectStatementJob } from './collection/collection.service.ts';
import { CollectionHold } from './collection/collection-hold.service.ts';
import { confirmationRoutes } from './collection/confirmation.routes.ts';
import { Confirmations } from './collection/confirmation.service.ts';
import { oldestDue } from './collection/due.queries.ts';
import { Outcomes } from './collection/outcomes.service.ts';
import { statusRoutes } from './collection/status.routes.ts';
import { BillingStatus } from './collection/status.service.ts';
import { StripeInvoices } from './collection/stripe-invoices.service.ts';
import { logRoutes } from './log/log.routes.ts';
import { BillingLogs } from './log/log.service.ts';
import { invoiceRoutes } from './papers/invoices.routes.ts';
import { countDifferences } from './reconcile/differences.queries.ts';
import { differenceRoutes } from './reconcile/differences.routes.ts';
import { Reconciliation, reconcileJob } from './reconcile/reconcile.service.ts';
import { billingCloser } from './statements/billing-closer.ts';
import { Invoices } from './statements/invoices.service.ts';
import { lastBillOf } from './statements/last-bill.ts';
import { subscribeRoutes } from './subscribe/subscribe.routes.ts';
import { Subscriptions } from './subscribe/subscribe.service.ts';
import { type BillingHandle, tables } from './tables.ts';
import { usageRoutes } from './usage/usage.routes.ts';
import { UsageFigures } from './usage/usage.service.ts';
import { webhookRoutes } from './webhook/webhook.routes.ts';
import { Webhook } from './webhook/webhook.service.ts';

/** Invoices that differed when they were last compared, and since when the oldest due one waits. */
export async function billingHealth(db: Database): Promise<{ differences: number; oldestDue: Date | null }> {
  const own = tables.of(db);
  return { differences: await countDifferences(own), oldestDue: await oldestDue(own) };
}

export const billing = {
  entities: tables.entities,
  events: [BillingEvent, CardEvent] as const,

  create(platform: Base, { emailQueue }: { emailQueue: EmailQueue }) {
    const base = { ...platform, db: tables.of(platform.db) };
    const { payments, warnings } = base;
    const onNewCard = (tx: BillingHandle, developerId: string) => collection.onNewCard(tx, developerId);
    const sync = new CardSync({ ...base, onNewCard });
    const notePaid = (developerId: string) => collection.notePaid(developerId);
    const customers = payments ? new StripeCustomers({ ...base, payments, notePaid }) : null;
    const hold = new CollectionHold({ ...base, customers });
    if (payments)
      warnings.add(async () => [
        ...(payments.isLockedOut() ? ['payments_locked_out'] : []),
        ...((await hold.current()) ? ['collection_on_hold'] : []),
      ]);
    const cards = new Cards({ ...base, sync, customers });
    const stripeInvoices = payments && customers ? new StripeInvoices({ ...base, payments, customers }) : null;
    const outcomes = new Outcomes({ ...base, emailQueue });
    const collection: Collection = new Collection({ ...base, invoices: stripeInvoices, outcomes, sync, hold });
    const expiring = new ExpiringCards({ ...base, emailQueue });
    const departed = new DepartedCustomers(base);
    const webhook = new Webhook({ ...base, sync, collection });
    const reconciliation = new Reconciliation({ ...base, hold });
    const hasCard = (sql: Sql, developerId: string) => cards.hasCard(sql, developerId);
    const status = new BillingStatus({ ...base, collects: payments !== null });
    const subscriptions = new Subscriptions({ ...base, emailQueue, hasCard });
    return {
      api: {
        /** Whether a developer may be on a plan that needs a card. */
        hasCard,
        expiringCards: expiring,
        departedCustomers: departed,
        lastBill: lastBillOf({ clock: base.clock, collects: base.payments !== null }),
        /** Whether a developer has to do something about a payment or the card. */
        needsPayment: async (developerId: string) => (await status.of(developerId)).attention !== null,
        closeBilling: billingCloser({ log: base.log, collects: base.payments !== null }),
        collection,
        collectionHold: hold,
        reconciliation,
      },
      routes: [
        usageRoutes(new UsageFigures(base)),
        subscribeRoutes(subscriptions),
        cardRoutes(cards),
        confirmationRoutes(new Confirmations({ ...base, outcomes })),
        statusRoutes(status),
        invoiceRoutes({ invoices: new Invoices(base), exports: base.exports, issuer: base.invoiceFrom }),
        logRoutes(new BillingLogs({ ...base, invoices: stripeInvoices, outcomes, hold })),
        differenceRoutes(reconciliation),
        webhookRoutes(webhook),
      ],
      jobs: [
        jobWorker(removeCardJob, (card) => cards.removeAtStripe(card)),
        jobWorker(expiringCardsJob, () => expiring.run()),
        jobWorker(departedCustomersJob, () => departed.run()),
        jobWorker(collectDueJob, () => collection.runJob()),
        jobWorker(collectStatementJob, (statement) => collection.runOne(statement)),
        jobWorker(reconcileJob, async () => void (await reconciliation.run())),
      ],
      housekeeping: [() => webhook.expire(), () => reconciliation.expire()],
    };
  },
};
