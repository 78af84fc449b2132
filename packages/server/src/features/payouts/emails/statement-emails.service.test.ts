import { signUpVerified } from '@tonerow/test-support/http.ts';
import { payoutScene, plantPayout } from '@tonerow/test-support/payouts.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestClock } from '#platform/clock.ts';
import { tables } from '../tables.ts';
import { StatementEmails } from './statement-emails.service.ts';

let server: TestServer;
const clock = new TestClock('2026-02-01T12:00:00Z');
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
});
afterAll(() => server.stop());

const { beside } = payoutScene(() => ({ server, clock }));

it.each([199, 200, 201])('the developer of %i statements gets one email about all of them', async (count) => {
  const ada = await signUpVerified(server);
  const { id } = await plantPayout(server.db, ada.id);
  await server.db.query(
    `with others as (
       insert into partnerships (id, developer_id, name, name_key, status, created_at)
       select gen_random_uuid(), $1, 'shop ' || n, 'shop ' || n, 'named', now() from generate_series(2, $3::int) n returning id, name
     )
     insert into payouts (id, developer_id, partnership_id, month, number, position, total_redemptions, total_revenue_cents, avg_price_cents,
       reseller_earned_cents, developer_owed_cents, adjustments, adjustment_revenue_cents, adjustment_commission_cents,
       brought_forward_cents, due_cents, rates, products, parties, rows_digest, digest, closed_at, status)
     select o.id, $1, o.id, p.month, o.name, 1, p.total_redemptions, p.total_revenue_cents, p.avg_price_cents, p.reseller_earned_cents,
       p.developer_owed_cents, 0, 0, 0, 0, p.due_cents, '[]', '{}', p.parties, '', '', p.closed_at, 'pending'
     from others o cross join payouts p where p.developer_id = $1 and p.id = $2`,
    [ada.id, id, count],
  );
  const sent: string[] = [];
  await beside(async ({ db }) => {
    const emailQueue = { queue: async (_: unknown, email: { to: string }) => void sent.push(email.to) };
    const emails = new StatementEmails({ db: tables.of(db), clock, emailQueue, publicUrl: server.url });
    for (let runs = 0; runs < 2; runs += 1) await emails.run({ developerId: ada.id, month: '2026-01-01' });
  });
  expect(sent).toEqual([ada.email]);
});
