import { DownloadProofs } from '#features/customers';
import type { Sql } from '#platform/db/database.ts';
import type { Base, ForgottenPerson } from '#platform/feature.ts';
import { jobWorker } from '#platform/jobs/job.ts';
import { emailJob, SentEmails } from './email-queue.service.ts';
import { emailRoutes } from './emails.routes.ts';
import { Emails } from './emails.service.ts';
import { redeemUrlOn } from './redeem-url.ts';
import { tables } from './tables.ts';
import { Announcements } from './to-accounts/announcements.service.ts';
import { Digests, dailyDigestJob } from './to-accounts/digest.service.ts';
import { AccountClosings, accountClosedJob } from './to-customers/account-closings.service.ts';
import { SoldCodes } from './to-customers/sold-codes.service.ts';
import { CustomerUpdates } from './unsubscribe/customer-updates.service.ts';
import { EmailSwitches } from './unsubscribe/email-switches.service.ts';
import { unsubscribeRoutes } from './unsubscribe/unsubscribe.routes.ts';
import { Unsubscribing } from './unsubscribe/unsubscribe.service.ts';

export type { EmailSwitches } from './unsubscribe/email-switches.service.ts';

export const emails = {
  entities: tables.entities,

  create(platform: Base) {
    const base = { ...platform, db: tables.of(platform.db) };
    const emailQueue = new SentEmails(base);
    const unsubscribing = new Unsubscribing(base);
    const customerUpdates = new CustomerUpdates(base);
    const emailSwitches = new EmailSwitches({ unsubscribing });
    const redeemUrl = redeemUrlOn(base.publicUrl);
    const downloadProofs = new DownloadProofs(base);
    const services = { ...base, emailQueue, unsubscribing, customerUpdates, redeemUrl, downloadProofs };
    const emails = new Emails(services);
    const announcements = new Announcements(services);
    const accountClosings = new AccountClosings(services);
    const digests = new Digests(services);
    const soldCodes = new SoldCodes(services);
    return {
      api: { emailQueue, emailSwitches, emails, accountClosings, redeemUrl, soldCodes },
      routes: [emailRoutes({ emailQueue, announcements, emails }), unsubscribeRoutes(unsubscribing, customerUpdates)],
      jobs: [
        jobWorker(emailJob, (mail, id) => emailQueue.deliver(mail, id)),
        jobWorker(accountClosedJob, (closing) => accountClosings.run(closing)),
        jobWorker(dailyDigestJob, () => digests.run()),
      ],
      housekeeping: [() => emailQueue.expire()],
      forget: (sql: Sql, { developerId, emails }: ForgottenPerson) => emailQueue.forget(sql, developerId, emails),
    };
  },
};
