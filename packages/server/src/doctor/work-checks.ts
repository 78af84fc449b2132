import type { WebhookHealth } from '#features/webhooks';
import type { EmailWait, Waiting } from '#platform/jobs/job-figures.ts';
import { type Found, ok, warning } from './finding.ts';

/** Seconds that a job may wait, and an email, before somebody should look. */
const LATE_JOB = 300;
const LATE_EMAIL = 900;
const LATE_WEBHOOK = 300;

const minutes = (seconds: number) => `${Math.round(seconds / 60)} minutes`;

/** Whether anybody works on what is queued. */
export function judgeJobs(waiting: readonly Waiting[], email: EmailWait): Found[] {
  const late = waiting.filter(({ age }) => age > LATE_JOB);
  const found = late.map(({ queue, jobs, age }) =>
    warning(
      `${jobs} jobs of ${queue} wait, the oldest for ${minutes(age)}.`,
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
  const words = `${failing} webhooks fail, and ${off} were switched off for it.`;
  if (found.length > 0) return found;
  // receivers are their developers' business, who got an email about it
  return [ok(troubled > 0 ? `Events get out. ${words}` : 'Events get out, and every webhook takes them.')];
}
