import type { Clock } from '#platform/clock.ts';
import type { Database, Sql, Tx } from '#platform/db/database.ts';
import type { EmailQueue } from '#platform/email/mailer.ts';
import type { Publisher } from '#platform/events.ts';
import { jobKind } from '#platform/jobs/job.ts';
import type { WebhookFailing } from '../events/webhook-notice.ts';
import { type Failing, failingEmail, type Recipient } from './failing-email.ts';
import { OFF_AFTER, OFF_SPAN, WARN_AFTER } from './outcomes.ts';

/** Looks at failing endpoints also while nothing is sent to them. */
export const failingJob = jobKind({
  name: 'webhooks-failing',
  cron: '* * * * *',
  retryLimit: 0,
  retryDelay: 1,
  expireInSeconds: 60,
});

const BATCH = 100;
/** The last warning: it is off. */
const TOLD = WARN_AFTER.length + 1;

/** Port: whether an account wants to hear of its webhooks, and where. */
export interface WebhookEmails {
  /** @returns null: queue nothing. */
  recipientOf(sql: Sql, accountId: string, kind: 'webhooks'): Promise<Recipient | null>;
}

interface Dependencies {
  db: Database;
  clock: Clock;
  emailQueue: EmailQueue;
  emailSwitches: WebhookEmails;
  events: Publisher<WebhookFailing>;
  publicUrl: string;
}

interface Row extends Failing {
  developer_id: string;
  id: string;
  level: number;
}

/** Warns accounts whose endpoints fail, after an hour, a day and three days, and switches them off after five. */
export class Failures {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async look(): Promise<void> {
    while ((await this.#deps.db.transaction((tx) => this.#some(tx))) === BATCH);
  }

  /** @returns how many accounts were told. */
  async #some(tx: Tx): Promise<number> {
    const now = this.#deps.clock.now();
    const ago = (ms: number) => new Date(now.getTime() - ms);
    await tx.query(
      `/* across tenants: the worker looks after all accounts */
       update webhook_endpoints set enabled = false, disabled_reason = 'failing', disabled_at = $1
       where enabled and first_failure_at <= $2 and last_failure_at >= first_failure_at + $3 * interval '1 ms'`,
      [now, ago(OFF_AFTER), OFF_SPAN],
    );
    const rows = await tx.query<Row>(
      `/* across tenants: the worker looks after all accounts */
       with level as (
         select e.developer_id, e.id, e.warned, case
             when not e.enabled then case when e.disabled_reason in ('failing', 'gone') then ${TOLD} else 0 end
             else (e.first_failure_at <= $1)::int + (e.first_failure_at <= $2)::int + (e.first_failure_at <= $3)::int end as n
         from webhook_endpoints e where e.first_failure_at is not null
       ), due as (
         select e.developer_id, e.id, level.n from level join webhook_endpoints e on (e.developer_id, e.id) = (level.developer_id, level.id)
         where level.n > level.warned limit ${BATCH} for no key update of e skip locked
       )
       update webhook_endpoints e set warned = due.n from due
       where (e.developer_id, e.id) = (due.developer_id, due.id) and e.warned < due.n
       returning e.developer_id, e.id, e.url, e.description, e.enabled, e.disabled_reason, e.first_failure_at, due.n as level`,
      WARN_AFTER.map(ago),
    );
    for (const row of rows) await this.#tell(tx, row);
    return rows.length;
  }

  async #tell(tx: Tx, row: Row): Promise<void> {
    const { events, emailQueue, emailSwitches, publicUrl } = this.#deps;
    await events.publish(tx, row.developer_id, {
      type: 'webhook_failing',
      data: {
        endpoint_id: row.id,
        // a path may be a secret, and whoever may listen may not read webhooks
        host: new URL(row.url).host,
        since: row.first_failure_at.toISOString(),
        disabled: !row.enabled,
      },
    });
    const to = await emailSwitches.recipientOf(tx, row.developer_id, 'webhooks');
    if (!to) return;
    const [account] = await tx.query<{ role: string }>('select role from users where id = $1', [row.developer_id]);
    const [last] = await tx.query<{ error: string | null; status: number | null }>(
      `select d.last_error as error, d.last_status as status from webhook_deliveries d
       where d.developer_id = $1 and d.endpoint_id = $2 and d.last_error is not null order by d.id desc limit 1`,
      [row.developer_id, row.id],
    );
    const screens = account?.role === 'reseller' ? 'reseller' : 'developer/tools';
    const url = `${publicUrl}/${screens}/webhooks/${row.id}`;
    await emailQueue.queue(tx, failingEmail({ to, url, failing: row, level: row.level, last: last ?? null }));
  }
}
