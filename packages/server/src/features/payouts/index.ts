import type { Base } from '../../platform/feature.ts';
import { jobWorker } from '../../platform/jobs/job.ts';
import type { MailQueue } from '../../platform/mail/mailer.ts';
import { Closings, closeMonthsJob } from './closing/closings.service.ts';
import { StatementNotices, statementsMadeJob } from './notices/statement-notices.service.ts';
import { Payout, PayoutMessage, PayoutNumber, PayoutPayment } from './payouts.entity.ts';
import { statementRoutes } from './statements/statements.routes.ts';
import { Statements } from './statements/statements.service.ts';

export const payouts = {
  entities: [Payout, PayoutNumber, PayoutPayment, PayoutMessage],

  create(base: Base, { mails }: { mails: MailQueue }) {
    const closings = new Closings(base);
    const notices = new StatementNotices({ ...base, mails });
    return {
      api: { closings },
      routes: [statementRoutes(new Statements(base))],
      jobs: [
        jobWorker(closeMonthsJob, () => closings.run()),
        jobWorker(statementsMadeJob, (made) => notices.run(made)),
      ],
    };
  },
};
