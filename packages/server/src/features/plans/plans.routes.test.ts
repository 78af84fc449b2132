import { call, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, expect, it } from 'vitest';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer();
});

it('shows the plans to anybody', async () => {
  const { body } = await call(server, 'GET', '/api/plans');
  expect(
    body.map((plan: { name: string; price_cents: number; redemption_quota: number; overage_cents: number | null }) => [
      plan.name,
      plan.price_cents,
      plan.redemption_quota,
      plan.overage_cents,
    ]),
  ).toEqual([
    ['Starter (Free)', 0, 50, null],
    ['Creator (Pay As You Go)', 0, 100, 5],
    ['Pro', 1000, 250, 4],
    ['Elite', 2000, 500, 3],
  ]);
});

it('shows an account its plan', async () => {
  const ada = await signUp(server);
  const plan = await call(server, 'GET', '/api/me/plan', { token: ada.token });
  expect(plan.body).toMatchObject({ name: 'Starter (Free)', redemption_quota: 50, slug: 'free' });
});
