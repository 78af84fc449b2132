import { addDeveloper, openPlanDatabase } from '@tonerow/test-support/plan-rows.ts';
import { expect, it, onTestFinished } from 'vitest';
import { HOUR, systemClock } from '#platform/clock.ts';
import { sqlOf } from '#platform/db/database.ts';
import type { Sql } from '#platform/db/sql.ts';
import type { Door } from '#platform/db/work.ts';
import type { EmailQueue } from '#platform/email/mailer.ts';
import { systemRandom } from '#platform/random.ts';
import { Failures } from '../delivery/failures.service.ts';
import { tables } from '../tables.ts';
import { WebhookFailing } from './webhook-notice.ts';

/** A webhook that has failed for two hours, and what looks after it. */
async function failing() {
  const { db, drop } = await openPlanDatabase();
  onTestFinished(drop);
  const random = systemRandom(systemClock);
  const [accountId, id] = [random.id(), random.id()];
  await addDeveloper(db, accountId);
  await db.query(
    `insert into webhook_endpoints (developer_id, id, url, description, events, signature, include_personal, secret, enabled,
       first_failure_at, last_failure_at, created_at)
     values ($1, $2, 'https://hooks.example.com:8443/services/T0?key=K0', '', '{*}', 'v1', false, '', true, $3, $3, $3)`,
    [accountId, id, new Date(systemClock.now().getTime() - 2 * HOUR)],
  );
  const told: [string, unknown][] = [];
  const lookWith = (sql: Sql) => {
    const door: Door = { ...sql, work: (_options, run) => run(sql) };
    return new Failures({
      db: tables.of(door),
      clock: systemClock,
      emailQueue: {} as EmailQueue,
      emailSwitches: { recipientOf: async () => null },
      events: { publish: async (_tx, account, event) => void told.push([account as string, event]) },
      publicUrl: 'https://tonerow.example.com',
    }).look();
  };
  return { sql: sqlOf(db), accountId, id, told, lookWith };
}

it('a webhook that fails is told live by its host: whoever may listen may not read its path, which may be a secret', async () => {
  const { sql, accountId, id, told, lookWith } = await failing();
  await lookWith(sql);
  const data = { endpoint_id: id, host: 'hooks.example.com:8443', since: expect.any(String), disabled: false };
  expect(told).toEqual([[accountId, { type: 'webhook_failing', data }]]);
  expect(WebhookFailing.parse(told[0]?.[1])).toEqual({ type: 'webhook_failing', data });
});

it('a webhook that fails is told once, although another process looks between the look and the warning', async () => {
  const { sql, told, lookWith } = await failing();
  let looks = 0;
  await lookWith({
    ...sql,
    async send(statement) {
      const found = await sql.send?.(statement);
      if (statement.text.startsWith('select') && found?.rowCount === 1 && ++looks === 1) await lookWith(sql);
      return found as never;
    },
  });
  expect(looks).toBe(1);
  expect(told).toHaveLength(1);
});
