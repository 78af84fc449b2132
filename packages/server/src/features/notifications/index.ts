import type { Sql } from '../../platform/db/database.ts';
import type { Base, ForgottenPerson } from '../../platform/feature.ts';
import { jobWorker } from '../../platform/jobs/job.ts';
import { DownloadProofs } from '../customers/index.ts';
import { AccountClosings, accountClosedJob } from './account-closings.service.ts';
import { Announcements } from './announcements.service.ts';
import { CustomerUpdates } from './customer-updates.service.ts';
import { Digests, dailyDigestJob } from './digest.service.ts';
import { EmailSwitches } from './email-switches.service.ts';
import { Mails, mailJob } from './mails.service.ts';
import { AccountClosing, Announcement, SentMail } from './notifications.entity.ts';
import { notificationRoutes } from './notifications.routes.ts';
import { Notifications } from './notifications.service.ts';
import { redeemUrlOn } from './redeem-url.ts';
import { SoldCodes } from './sold-codes.service.ts';
import { unsubscribeRoutes } from './unsubscribe.routes.ts';
import { Unsubscribing } from './unsubscribe.service.ts';

export type { EmailSwitches } from './email-switches.service.ts';

export const notifications = {
  entities: [SentMail, Announcement, AccountClosing],

  create(base: Base) {
    const mails = new Mails(base);
    const unsubscribing = new Unsubscribing(base);
    const customerUpdates = new CustomerUpdates(base);
    const emailSwitches = new EmailSwitches({ unsubscribing });
    const redeemUrl = redeemUrlOn(base.publicUrl);
    const downloadProofs = new DownloadProofs(base);
    const services = { ...base, mails, unsubscribing, customerUpdates, redeemUrl, downloadProofs };
    const notifications = new Notifications(services);
    const announcements = new Announcements(services);
    const accountClosings = new AccountClosings(services);
    const digests = new Digests(services);
    const soldCodes = new SoldCodes(services);
    return {
      api: { mails, emailSwitches, notifications, accountClosings, redeemUrl, soldCodes },
      routes: [
        notificationRoutes({ mails, announcements, notifications }),
        unsubscribeRoutes(unsubscribing, customerUpdates),
      ],
      jobs: [
        jobWorker(mailJob, (mail, id) => mails.deliver(mail, id)),
        jobWorker(accountClosedJob, (closing) => accountClosings.run(closing)),
        jobWorker(dailyDigestJob, () => digests.run()),
      ],
      housekeeping: [() => mails.expire()],
      forget: (sql: Sql, { developerId, emails }: ForgottenPerson) => mails.forget(sql, developerId, emails),
    };
  },
};
