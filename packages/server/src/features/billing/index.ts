import type { Sql } from '../../platform/db/database.ts';
import type { Base } from '../../platform/feature.ts';
import { jobWorker } from '../../platform/jobs/job.ts';
import type { MailQueue } from '../../platform/mail/mailer.ts';
import { CardSync } from './cards/card-sync.service.ts';
import { BillingCustomer, SetupIntent } from './cards/cards.entity.ts';
import { cardRoutes } from './cards/cards.routes.ts';
import { Cards, removeCardJob } from './cards/cards.service.ts';
import { ExpiringCards, expiringCardsJob } from './cards/expiring-cards.service.ts';
import { invoiceRoutes } from './papers/invoices.routes.ts';
import { billingCloser } from './statements/billing-closer.ts';
import { Invoices } from './statements/invoices.service.ts';
import { BillingLine, BillingNumber, BillingStatement } from './statements/statements.entity.ts';
import { subscribeRoutes } from './subscribe/subscribe.routes.ts';
import { Subscriptions } from './subscribe/subscribe.service.ts';
import { usageRoutes } from './usage/usage.routes.ts';
import { UsageFigures } from './usage/usage.service.ts';
import { StripeEvent } from './webhook/webhook.entity.ts';
import { webhookRoutes } from './webhook/webhook.routes.ts';
import { Webhook } from './webhook/webhook.service.ts';

export const billing = {
  entities: [BillingCustomer, SetupIntent, StripeEvent, BillingStatement, BillingLine, BillingNumber],

  create(base: Base, { mails }: { mails: MailQueue }) {
    const sync = new CardSync({ ...base, onNewCard: async () => undefined });
    const cards = new Cards({ ...base, sync });
    const expiring = new ExpiringCards({ ...base, mails });
    const webhook = new Webhook({ ...base, sync });
    const hasCard = (sql: Sql, developerId: string) => cards.hasCard(sql, developerId);
    const subscriptions = new Subscriptions({ ...base, mails, hasCard });
    return {
      api: {
        /** Whether a developer may be on a plan that needs a card. */
        hasCard,
        expiringCards: expiring,
        closeBilling: billingCloser({ log: base.log, collects: base.payments !== null }),
      },
      routes: [
        usageRoutes(new UsageFigures(base)),
        subscribeRoutes(subscriptions),
        cardRoutes(cards),
        webhookRoutes(webhook),
        invoiceRoutes({ invoices: new Invoices(base), exports: base.exports, issuer: base.invoiceFrom }),
      ],
      jobs: [
        jobWorker(removeCardJob, (card) => cards.removeAtStripe(card)),
        jobWorker(expiringCardsJob, () => expiring.run()),
      ],
      housekeeping: [() => webhook.expire()],
    };
  },
};
