import { openPlanDatabase } from '@tonerow/test-support/plan-rows.ts';
import { expect, it } from 'vitest';
import { HOUR, systemClock } from '#platform/clock.ts';
import { sqlOf } from '#platform/db/database.ts';
import type { Door } from '#platform/db/work.ts';
import type { EmailQueue } from '#platform/email/mailer.ts';
import { systemRandom } from '#platform/random.ts';
import { Failures } from '../delivery/failures.service.ts';
import { tables } from '../tables.ts';
import { WebhookFailing } from './webhook-notice.ts';

it('a webhook that fails is told live by its host: whoever may listen may not read its path, which may be a secret', async () => {
  const { db, drop } = await openPlanDatabase();
  const random = systemRandom(systemClock);
  const [accountId, id] = [random.id(), random.id()];
  // without its account
  await db.query("set session_replication_role = 'replica'");
  await db.query(
    `insert into webhook_endpoints (developer_id, id, url, description, events, signature, include_personal, secret, enabled,
       first_failure_at, last_failure_at, created_at)
     values ($1, $2, 'https://hooks.example.com:8443/services/T0?key=K0', '', '{*}', 'v1', false, '', true, $3, $3, $3)`,
    [accountId, id, new Date(systemClock.now().getTime() - 2 * HOUR)],
  );
  const told: unknown[] = [];
  const sent = sqlOf(db);
  const door: Door = { ...sent, work: (_options, run) => run(sent) };
  const failures = new Failures({
    db: tables.of(door),
    clock: systemClock,
    emailQueue: {} as EmailQueue,
    emailSwitches: { recipientOf: async () => null },
    events: { publish: async (_tx, account, event) => void told.push([account, event]) },
    publicUrl: 'https://tonerow.example.com',
  });
  await failures.look();
  await drop();
  const data = { endpoint_id: id, host: 'hooks.example.com:8443', since: expect.any(String), disabled: false };
  expect(told).toEqual([[accountId, { type: 'webhook_failing', data }]]);
  expect(WebhookFailing.parse((told as [[string, unknown]])[0][1])).toEqual({ type: 'webhook_failing', data });
});
