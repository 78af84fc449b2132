import { DownloadProofs } from '#features/customers';
import type { Sql } from '#platform/db/database.ts';
import type { Base, ErasedPerson } from '#platform/feature.ts';
import { jobWorker } from '#platform/jobs/job.ts';
import { emailJob, SentEmails } from './email-queue.service.ts';
import { emailRoutes } from './emails.routes.ts';
import { redeemUrlOn } from './redeem-url.ts';
import { RedemptionEmails } from './redemption-emails.service.ts';
import { Senders } from './senders.ts';
import { tables } from './tables.ts';
import { AccountEmails } from './to-accounts/account-emails.service.ts';
import { Announcements } from './to-accounts/announcements.service.ts';
import { Digests, dailyDigestJob } from './to-accounts/digest.service.ts';
import { AccountClosings, accountClosedJob } from './to-customers/account-closings.service.ts';
import { CustomerEmails } from './to-customers/customer-emails.service.ts';
import { OrderedCodes } from './to-customers/ordered-codes.service.ts';
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
    const senders = new Senders(base);
    const services = { ...base, emailQueue, unsubscribing, customerUpdates, redeemUrl, downloadProofs, senders };
    const customerEmails = new CustomerEmails(services);
    const accountEmails = new AccountEmails(services);
    const redemptionEmails = new RedemptionEmails({ ...services, customerEmails });
    const announcements = new Announcements(services);
    const accountClosings = new AccountClosings(services);
    const digests = new Digests(services);
    const soldCodes = new SoldCodes(services);
    const orderedCodes = new OrderedCodes(services);
    return {
      api: {
        emailQueue,
        emailSwitches,
        accountClosings,
        redeemUrl,
        soldCodes,
        orderedCodes,
        emails: {
          redeemed: redemptionEmails.redeemed.bind(redemptionEmails),
          resend: customerEmails.resend.bind(customerEmails),
          newVersion: customerEmails.newVersion.bind(customerEmails),
          addressChanged: customerEmails.addressChanged.bind(customerEmails),
          transferred: customerEmails.transferred.bind(customerEmails),
          myProducts: customerEmails.myProducts.bind(customerEmails),
          seatCode: customerEmails.seatCode.bind(customerEmails),
          myProductsSince: customerEmails.myProductsSince.bind(customerEmails),
          lowStock: accountEmails.lowStock.bind(accountEmails),
          helpRequested: accountEmails.helpRequested.bind(accountEmails),
        },
      },
      routes: [
        emailRoutes({ emailQueue, announcements, accountEmails, customerEmails }),
        unsubscribeRoutes(unsubscribing, customerUpdates),
      ],
      jobs: [
        jobWorker(emailJob, (email, id) => emailQueue.deliver(email, id)),
        jobWorker(accountClosedJob, (closing) => accountClosings.run(closing)),
        jobWorker(dailyDigestJob, () => digests.run()),
      ],
      housekeeping: [() => emailQueue.expire()],
      erase: (sql: Sql, { developerId, emails }: ErasedPerson) => emailQueue.erase(sql, developerId, emails),
    };
  },
};
