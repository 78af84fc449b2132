import type { EmailSwitches } from '#features/emails';
import type { Principal } from '#platform/access/access.ts';
import type { EmailQueue } from '#platform/email/mailer.ts';
import type { Base } from '#platform/feature.ts';
import { jobWorker } from '#platform/jobs/job.ts';
import { catalogRoutes } from './catalog/catalog.routes.ts';
import { Catalog } from './catalog/catalog.service.ts';
import { DealAnswers } from './requests/deal-answers.service.ts';
import { DealEmails, dealEmailJob } from './requests/deal-emails.service.ts';
import { countRequests } from './requests/deal-requests.queries.ts';
import { dealRequestRoutes } from './requests/deal-requests.routes.ts';
import { DealsEvent } from './requests/deal-requests.schemas.ts';
import { RequestedDeals } from './requests/requested-deals.service.ts';
import { tables } from './tables.ts';

interface Needs {
  emailQueue: EmailQueue;
  emailSwitches: EmailSwitches;
}

export { givenFilter } from './catalog/catalog.schemas.ts';
export { findGiven } from './catalog/product-detail.queries.ts';

export const deals = {
  entities: tables.entities,
  events: [DealsEvent] as const,

  create(platform: Base, needs: Needs) {
    const base = { ...platform, db: tables.of(platform.db) };
    const dealEmails = new DealEmails({ ...base, ...needs });
    const services = { ...base, dealEmails };
    const dealAnswers = new DealAnswers(services);
    return {
      api: {
        dealAnswers,
        /** How many requests wait for a developer's answer, or how many answers a reseller has not taken note of. */
        pendingDeals: ({ role, accountId }: Principal) =>
          role === 'reseller'
            ? countRequests(base.db, { resellerId: accountId }, { status: undefined, unseen: true })
            : countRequests(base.db, { developerId: accountId }, { status: 'pending' }),
      },
      routes: [catalogRoutes(new Catalog(base)), dealRequestRoutes(new RequestedDeals(services), dealAnswers)],
      jobs: [jobWorker(dealEmailJob, (email) => dealEmails.run(email))],
    };
  },
};
