import { type NotNull, type RawBuilder, sql } from 'kysely';
import type { Clock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import type { Columns } from '#platform/db/tables.ts';
import { acrossTenants } from '#platform/db/tenant.ts';
import type { EmailQueue } from '#platform/email/mailer.ts';
import type { Publisher } from '#platform/events.ts';
import { jobKind } from '#platform/jobs/job.ts';
import type { WebhookFailing } from '../events/webhook-notice.ts';
import type { WebhooksDb, WebhooksHandle } from '../tables.ts';
import { OFF_AFTER, OFF_SPAN, WARN_AFTER } from './endpoint-health.ts';
import { type Failing, failingEmail, type Recipient } from './failing-email.ts';

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
const LAST_WARNING = WARN_AFTER.length + 1;

/** Port: whether an account wants to hear of its webhooks, and where. */
export interface WebhookEmails {
  /** @returns null: queue nothing. */
  recipientOf(sql: Sql, accountId: string, kind: 'webhooks'): Promise<Recipient | null>;
}

interface Dependencies {
  db: WebhooksDb;
  clock: Clock;
  emailQueue: EmailQueue;
  emailSwitches: WebhookEmails;
  events: Publisher<WebhookFailing>;
  publicUrl: string;
}

type Key = Columns<'webhook_endpoints', 'developer_id' | 'id'>;
type Row = Key & Failing & { level: number };

/** Warns accounts whose endpoints fail, after an hour, a day and three days, and switches them off after five. */
export class Failures {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async look(): Promise<void> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    await db.work({ tx: true }, (tx) => switchOff(tx, now));
    const level = levelAt(WARN_AFTER.map((ms) => new Date(now.getTime() - ms)));
    for (let found = BATCH; found === BATCH; ) {
      const due = await db
        .selectFrom('webhook_endpoints')
        .select(['developer_id', 'id'])
        .where('first_failure_at', 'is not', null)
        .where('warned', '<', level)
        .limit(BATCH)
        .modifyEnd(acrossTenants('the worker looks after all accounts'))
        .execute();
      for (const each of due) await db.work({ tx: true }, (tx) => this.#warn(tx, each, level));
      found = due.length;
    }
  }

  /** One of several processes that look at once warns: the others wait for it, and find it done. */
  async #warn(tx: WebhooksHandle, { developer_id, id }: Key, level: RawBuilder<number>): Promise<void> {
    const row = await tx
      .updateTable('webhook_endpoints')
      .set({ warned: level })
      .where('developer_id', '=', developer_id)
      .where('id', '=', id)
      .where('first_failure_at', 'is not', null)
      .where('warned', '<', level)
      .returning(['developer_id', 'id', 'url', 'description', 'enabled', 'disabled_reason', 'first_failure_at'])
      .returning('warned as level')
      .$narrowType<{ first_failure_at: NotNull }>()
      .executeTakeFirst();
    if (row) await this.#notify(tx, row);
  }

  async #notify(tx: WebhooksHandle, row: Row): Promise<void> {
    const { events, emailQueue, emailSwitches, publicUrl } = this.#deps;
    await events.publish(tx, row.developer_id, {
      type: 'webhook_failing',
      data: {
        endpoint_id: row.id,
        // a path may be a secret, and a listener may lack the scope to read webhooks
        host: new URL(row.url).host,
        since: row.first_failure_at.toISOString(),
        disabled: !row.enabled,
      },
    });
    const to = await emailSwitches.recipientOf(tx, row.developer_id, 'webhooks');
    if (!to) return;
    const account = await tx.selectFrom('users').select('role').where('id', '=', row.developer_id).executeTakeFirst();
    const last = await tx
      .selectFrom('webhook_deliveries')
      .select(['last_error as error', 'last_status as status'])
      .where('developer_id', '=', row.developer_id)
      .where('endpoint_id', '=', row.id)
      .where('last_error', 'is not', null)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    const screens = account?.role === 'reseller' ? 'reseller' : 'developer/tools';
    const url = `${publicUrl}/${screens}/webhooks/${row.id}`;
    await emailQueue.queue(tx, failingEmail({ to, url, failing: row, level: row.level, last: last ?? null }));
  }
}

/** The time between two moments is compared, because it is the same in all time zones: a moment plus a time may not be. */
const switchOff = (tx: WebhooksHandle, now: Date) =>
  tx
    .updateTable('webhook_endpoints')
    .set({ enabled: false, disabled_reason: 'failing', disabled_at: now })
    .where('enabled', 'is', true)
    .where('first_failure_at', '<=', new Date(now.getTime() - OFF_AFTER))
    .where(sql<number>`extract(epoch from last_failure_at - first_failure_at) * 1000`, '>=', OFF_SPAN)
    .modifyEnd(acrossTenants('the worker looks after all accounts'))
    .execute();

/** How many warnings an endpoint that fails should have had. @param since when it has to have begun for each of them. */
const levelAt = ([hour, day, days]: readonly Date[]) => sql<number>`case
  when not enabled then case when disabled_reason in ('failing', 'gone') then ${sql.lit(LAST_WARNING)}::int else 0 end
  else (first_failure_at <= ${hour})::int + (first_failure_at <= ${day})::int + (first_failure_at <= ${days})::int end`;
