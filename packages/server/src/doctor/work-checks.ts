import type { WebhookHealth } from '#features/webhooks';
import { HOUR } from '#platform/clock.ts';
import type { EmailWait, Waiting } from '#platform/jobs/job-figures.ts';
import { plainPlural } from '#platform/text/plural.ts';
import { type Found, failed, ok, warning } from './finding.ts';

/** Seconds that a job may wait, and an email, before somebody should look. */
const LATE_JOB = 300;
const LATE_EMAIL = 900;
const LATE_WEBHOOK = 300;
/** And a worker be silent. */
const SILENT = 300;

const minutes = (seconds: number) => plainPlural(Math.round(seconds / 60), 'minute');

/** Whether anybody works on what is queued. */
export function judgeJobs(waiting: readonly Waiting[], email: EmailWait, silence: number): Found[] {
  if (silence > SILENT)
    return [
      failed(
        `No worker has looked for jobs ${Number.isFinite(silence) ? `for ${minutes(silence)}` : 'yet'}: no email is sent, and no month is closed.`,
        'Start a process with the role worker. If that was just now, look again in a minute.',
      ),
    ];
  const late = waiting.filter(({ age }) => age > LATE_JOB);
  const found = late.map(({ queue, jobs, age }) =>
    warning(
      `${plainPlural(jobs, 'job')} of ${queue} ${jobs === 1 ? 'waits' : 'wait'}, the oldest for ${minutes(age)}.`,
      'Check that a process with the role worker runs; if one does, start another.',
    ),
  );
  if (email.age > LATE_EMAIL)
    found.push(
      warning(
        `The oldest email that is not delivered is ${minutes(email.age)} old.`,
        'Check the mail server and the log.',
      ),
    );
  return found.length > 0 ? found : [ok('No job and no email waits for long.')];
}

export function judgeWebhooks({ overdue, failing, off }: WebhookHealth): Found[] {
  const found: Found[] = [];
  if (overdue > LATE_WEBHOOK)
    found.push(
      warning(
        `The oldest event that could be sent to a webhook waits for ${minutes(overdue)}.`,
        'Check that a process with the role worker runs, and that it reaches the internet.',
      ),
    );
  const troubled = failing + off;
  const words = `${plainPlural(failing, 'webhook')} ${failing === 1 ? 'fails' : 'fail'}, and ${off} ${off === 1 ? 'was' : 'were'} switched off for it.`;
  if (found.length > 0) return found;
  // receivers are their developers' business, who got an email about it
  return [ok(troubled > 0 ? `Events get out. ${words}` : 'Events get out, and every webhook takes them.')];
}

export interface MoneyHealth {
  /** Months of developers that are over and not closed. */
  unclosed: number;
  statementDifferences: number;
  billingDifferences: number;
  /** Seconds that the oldest due invoice waits. */
  overdue: number;
}

/** The close runs every hour, and so does the collection. */
const LATE_CLOSE = 3 * HOUR;
const LATE_COLLECTION = 7200;

/** Whether what people are owed adds up, and is collected. */
export function judgeMoney(health: MoneyHealth, now: Date): Found[] {
  const { unclosed, statementDifferences, billingDifferences, overdue } = health;
  const found: Found[] = [];
  const intoMonth = now.getTime() - Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
  if (unclosed > 0 && intoMonth > LATE_CLOSE)
    found.push(
      warning(
        `${plainPlural(unclosed, 'month')} of developers ${unclosed === 1 ? 'is' : 'are'} over and not closed.`,
        'Check that a process with the role worker runs, then run: tonerow-server close-month',
      ),
    );
  if (statementDifferences > 0)
    found.push(
      failed(
        `${plainPlural(statementDifferences, 'statement')} ${statementDifferences === 1 ? 'differs' : 'differ'} from the ledger.`,
        'Compare with a backup, and put back the rows that were changed. See “The month close” in docs/operations.md.',
      ),
    );
  if (billingDifferences > 0)
    found.push(
      warning(
        `${plainPlural(billingDifferences, 'invoice')} ${billingDifferences === 1 ? 'differs' : 'differ'} from Stripe or the ledger.`,
        'Run: tonerow-server reconcile',
      ),
    );
  if (overdue > LATE_COLLECTION)
    found.push(
      warning(
        `The oldest invoice that is due waits for ${minutes(overdue)}.`,
        'Run: tonerow-server collection, and see the log.',
      ),
    );
  return found.length > 0 ? found : [ok('Every month that is over is closed, and nothing differs.')];
}
