import type { Sql } from '#platform/db/database.ts';
import type { EmailQueue } from '#platform/email/mailer.ts';
import type { Base } from '#platform/feature.ts';
import { jobWorker } from '#platform/jobs/job.ts';
import { PayoutAudit, payoutAuditJob } from './audit/audit.service.ts';
import { payoutCloser } from './closing/payout-closer.ts';
import { PayoutEmails } from './emails/payout-emails.service.ts';
import { StatementEmails, statementsMadeJob } from './emails/statement-emails.service.ts';
import { paperRoutes } from './papers/papers.routes.ts';
import { Papers } from './papers/papers.service.ts';
import { Agreement } from './payments/agreement.service.ts';
import { paymentRoutes } from './payments/payments.routes.ts';
import { Payments } from './payments/payments.service.ts';
import { payoutRemindersJob, Reminders } from './payments/reminders.service.ts';
import { PayoutEvent } from './payouts.schemas.ts';
import { Seals } from './seal/seals.service.ts';
import { countUnpaid } from './statements/payouts.queries.ts';
import { statementRoutes } from './statements/statements.routes.ts';
import { Statements } from './statements/statements.service.ts';
import { tables } from './tables.ts';

export { countDifferences as statementDifferences } from './audit/audit.queries.ts';

export const payouts = {
  entities: tables.entities,
  events: [PayoutEvent] as const,

  create(platform: Base, { emailQueue }: { emailQueue: EmailQueue }) {
    const base = { ...platform, db: tables.of(platform.db) };
    const announcements = new StatementEmails({ ...base, emailQueue });
    const seals = new Seals(base);
    const statements = new Statements({ ...base, seals });
    const services = { ...base, payoutEmails: new PayoutEmails({ ...base, emailQueue }) };
    const agreement = new Agreement(services);
    const audit = new PayoutAudit({ ...base, seals });
    const reminders = new Reminders({ ...services, agreement });
    return {
      api: {
        closePayouts: payoutCloser(base.jobs),
        payoutReminders: reminders,
        payoutAudit: audit,
        payoutSeals: seals,
        payouts: { unpaid: (sql: Sql, accountId: string) => countUnpaid(sql, accountId) },
      },
      routes: [
        statementRoutes(statements),
        paperRoutes(new Papers({ ...base, statements })),
        paymentRoutes({ statements, agreement, payments: new Payments(services) }),
      ],
      jobs: [
        jobWorker(statementsMadeJob, async (made) => {
          await seals.seal(made.developerId);
          await announcements.run(made);
        }),
        jobWorker(payoutAuditJob, () => audit.run()),
        jobWorker(payoutRemindersJob, () => reminders.run()),
      ],
    };
  },
};
