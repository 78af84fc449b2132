import { DAY } from '#platform/clock.ts';
import type { Database, Sql } from '#platform/db/database.ts';
import type { EmailQueue } from '#platform/email/mailer.ts';
import type { Base, ErasedPerson } from '#platform/feature.ts';
import { jobWorker } from '#platform/jobs/job.ts';
import { Deliverer } from './delivery/deliverer.ts';
import { deliveryRoutes } from './delivery/deliveries.routes.ts';
import { Deliveries, replayJob } from './delivery/deliveries.service.ts';
import { erasePerson } from './delivery/erase.ts';
import { Failures, failingJob, type WebhookEmails } from './delivery/failures.service.ts';
import { expireEvents, purge, purgeJob } from './delivery/purge.ts';
import { CHANGED, DUE } from './delivery/wake.ts';
import { healthOf, webhookFigures } from './delivery/webhook-figures.ts';
import { endpointRoutes } from './endpoints/endpoints.routes.ts';
import { Endpoints } from './endpoints/endpoints.service.ts';
import { EventsByHand } from './events/by-hand.service.ts';
import { WebhookFailing, WebhookNotice } from './events/webhook-notice.ts';
import { feedRoutes } from './feed/feed.routes.ts';
import { Feed, settleRestored } from './feed/feed.service.ts';
import { sealedPreviousSecrets, sealedWebhookKeys, sealedWebhookSecrets } from './sealed.ts';
import { Signers } from './signing/signers.ts';
import { WebhookKeys } from './signing/webhook-keys.ts';
import { tables } from './tables.ts';

export type { WebhookHealth } from './delivery/webhook-figures.ts';
export { type EventData, patternsFor } from './events/catalog.ts';
export { webhookContract } from './events/contract.ts';
export {
  accountsWanting,
  asksFor,
  notifyRecorded,
  objectIdsOf,
  partsOf,
  RECORDED,
  recordParts,
  recordWebhook,
  recordWebhooks,
  wantsWebhook,
} from './events/record.ts';

/** Whether events get out, and how many receivers do not take them. */
export const webhookHealth = (db: Database, now: Date) => healthOf(tables.of(db), now);

/** How long events, with all that became of them, are kept. */
const KEPT = 30 * DAY;

export const webhooks = {
  entities: tables.entities,
  sealed: [sealedWebhookSecrets, sealedPreviousSecrets, sealedWebhookKeys],
  events: [WebhookNotice, WebhookFailing] as const,

  create(platform: Base, { emailQueue, emailSwitches }: { emailQueue: EmailQueue; emailSwitches: WebhookEmails }) {
    const base = { ...platform, db: tables.of(platform.db) };
    const { db, clock, secrets, events } = base;
    const keys = new WebhookKeys(base);
    const failures = new Failures({ ...base, emailQueue, emailSwitches });
    const endpoints = new Endpoints({ ...base, keys });
    const deliveries = new Deliveries(base);
    const deliverer = new Deliverer({
      ...base,
      signers: new Signers({ keys, secrets }),
      figures: webhookFigures(base),
      onFailures: () => failures.look(),
    });
    // only the account's own endpoints get the event; looking at all endpoints would cost a step for each of them
    events.wakeOn('webhook', (accountId) => deliverer.wake(accountId));
    events.wakeOn(DUE, () => deliverer.wake());
    events.wakeOn(CHANGED, () => deliverer.recall());
    return {
      api: { webhooks: { deleteOf: (sql: Sql, accountId: string) => endpoints.deleteOf(sql, accountId) } },
      routes: [
        endpointRoutes(endpoints, keys),
        deliveryRoutes(deliveries),
        feedRoutes(new Feed(base), new EventsByHand(base)),
      ],
      jobs: [
        jobWorker(failingJob, () => failures.look()),
        jobWorker(replayJob, (order) => deliveries.runReplay(order)),
        jobWorker(purgeJob, (order) => purge(db, order)),
      ],
      background: [deliverer],
      housekeeping: [
        () => expireEvents(db, { before: new Date(clock.now().getTime() - KEPT), now: clock.now() }),
        () => settleRestored(db),
      ],
      erase: (sql: Sql, person: ErasedPerson) => erasePerson(sql, person),
    };
  },
};
