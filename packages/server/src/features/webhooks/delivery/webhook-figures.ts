import type { Clock } from '#platform/clock.ts';
import { acrossTenants } from '#platform/db/tenant.ts';
import type { Metrics } from '#platform/metrics/metrics.ts';
import type { WebhooksDb } from '../tables.ts';
import { oldestDue } from './leases.ts';

/** Figures for alerts: whether events get out, and how many receivers do not take them. */
export function webhookFigures({ metrics, db, clock }: { metrics: Metrics; db: WebhooksDb; clock: Clock }) {
  const attempts = metrics.counter({
    name: 'tonerow_webhook_attempts_total',
    help: 'Requests to webhooks that ended in this process, by outcome; a failed one is tried again',
    labelNames: ['outcome'],
  });
  metrics.measured(
    {
      name: 'tonerow_webhooks_overdue_seconds',
      help: 'For how long the oldest webhook delivery that could be sent has been waiting',
    },
    async () => [[{}, await overdueSeconds(db, clock.now())]],
  );
  metrics.measured(
    {
      name: 'tonerow_webhooks_failing',
      help: 'Webhooks whose last attempt failed, and those switched off for it',
      labelNames: ['state'],
    },
    async () => {
      const count = await failingCounts(db);
      return [
        [{ state: 'failing' }, count.failing],
        [{ state: 'off' }, count.off],
      ];
    },
  );
  const count = (outcome: 'delivered' | 'failed', n: number) => {
    if (n > 0) attempts.inc({ outcome }, n);
  };
  return {
    ended(good: readonly boolean[]): void {
      const delivered = good.filter(Boolean).length;
      count('delivered', delivered);
      count('failed', good.length - delivered);
    },
  };
}

export interface WebhookHealth {
  /** How long the oldest delivery that could be sent has been waiting, in seconds. */
  overdue: number;
  failing: number;
  off: number;
}

/** The same figures, for an examination of the installation. */
export async function healthOf(db: WebhooksDb, now: Date): Promise<WebhookHealth> {
  const [overdue, counts] = await Promise.all([overdueSeconds(db, now), failingCounts(db)]);
  return { overdue, ...counts };
}

async function overdueSeconds(db: WebhooksDb, now: Date): Promise<number> {
  const oldest = await oldestDue(db);
  return oldest === null ? 0 : Math.max(0, (now.getTime() - oldest.getTime()) / 1000);
}

function failingCounts(db: WebhooksDb): Promise<{ failing: number; off: number }> {
  return db
    .selectFrom('webhook_endpoints')
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere('enabled', 'is', true).as('failing'),
      fn
        .countAll<number>()
        .filterWhere((eb) => eb.and([eb('enabled', 'is', false), eb('disabled_reason', 'in', ['failing', 'gone'])]))
        .as('off'),
    ])
    .where('first_failure_at', 'is not', null)
    .modifyEnd(acrossTenants('figures'))
    .executeTakeFirstOrThrow();
}
