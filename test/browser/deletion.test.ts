import { billingScene, plantStatement } from '@tonerow/test-support/billing.ts';
import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { PASSWORD, type Person, signUpVerified } from '@tonerow/test-support/http.ts';
import { setPlan } from '@tonerow/test-support/plans.ts';
import { startServer } from '@tonerow/test-support/server.ts';
import { type StripeStandIn, startStripe } from '@tonerow/test-support/stripe/stand-in.ts';
import { afterAll, describe, expect, it } from 'vitest';
import { TestClock } from '../../packages/server/src/platform/clock.ts';
import { expectAccessible, expectNoSidewaysScroll, screenshot } from './dashboard.ts';

describe('the deletion of an account in a browser', { timeout: 120_000 }, () => {
  const clock = new TestClock('2026-03-20T12:00:00Z');
  let stripe: StripeStandIn;
  afterAll(() => stripe?.stop());
  const { server, openPage } = browserSuite(async () => {
    stripe = await startStripe({ now: () => clock.now() });
    return startServer({ web: true, overrides: { clock }, env: stripe.env });
  });

  const { addCard } = billingScene(() => ({ server, stripe, clock }));

  async function open(as: Person) {
    const page = await openPage({ as, now: clock.now() });
    await page.goto('/dashboard/settings');
    await page.getByRole('button', { name: 'Delete Account Permanently' }).click();
    const dialog = page.getByRole('dialog', { name: /^Are you sure you want to permanently delete your account/ });
    await expect(dialog).toBeVisible();
    return { page, dialog };
  }

  it('first shows what is billed, charged and unpaid, then happens', async () => {
    const ada = await signUpVerified(server);
    await setPlan(server.db, { plan: 'pro', accountId: ada.id, at: new Date('2026-03-03T12:00:00Z') });
    await addCard(ada);
    await server.db.query(
      `insert into usage_months (developer_id, month, redemptions, plan) values ($1, '2026-03-01', 7, 'pro')`,
      [ada.id],
    );
    await plantStatement(server.db, ada, { amounts: [1000, 55] });
    // collected by nobody yet: it is open, and was tried
    await server.db.query(
      "update billing_statements set state = 'open', attempts = 1, next_attempt_at = '2026-04-01' where developer_id = $1",
      [ada.id],
    );
    const { page, dialog } = await open(ada);
    const bill = dialog.getByRole('table', { name: 'Your last invoice' });
    await expect(
      bill.getByRole('row', { name: 'March 2026 (UTC) Closed and billed by the deletion $10.00' }),
    ).toBeVisible();
    await expect(bill.getByRole('row', { name: '1 unpaid invoice Of earlier months $10.55' })).toBeVisible();
    await expect(bill.getByRole('row', { name: 'Charged to your card $20.55' })).toBeVisible();
    await expectAccessible(page);
    await screenshot(page, 'deletion-light-1280');
    // behind the question, nothing can be pressed: the theme neither
    await page.evaluate(() => document.documentElement.classList.add('dark'));
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    await dialog.getByLabel('Your password').fill('not it');
    await dialog.getByRole('button', { name: 'Delete my account' }).click();
    await expect(dialog.getByText(/^Delete failed: /)).toBeVisible();
    await expectAccessible(page);
    await screenshot(page, 'deletion-dark-390');
    await dialog.getByLabel('Your password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Delete my account' }).click();
    await expect(page.getByText('Account deleted successfully.')).toBeVisible();
    const months = await server.db.query<{ month: string; cents: number }>(
      `select to_char(month, 'YYYY-MM') as month, total_cents::int as cents from billing_statements where developer_id = $1 order by month`,
      [ada.id],
    );
    expect(months).toEqual([
      { month: '2026-02', cents: 1055 },
      { month: '2026-03', cents: 1000 },
    ]);
  });

  it('shows no amount when nothing is owed, and an error when that is not known', async () => {
    const ada = await signUpVerified(server);
    const { page, dialog } = await open(ada);
    await expect(dialog.getByText('Checking what is still to pay…')).toBeHidden();
    await expect(dialog.getByText(/\$/)).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await page.route('**/api/account/deletion', (route) => route.fulfill({ status: 502, body: '' }));
    await page.reload();
    await page.getByRole('button', { name: 'Delete Account Permanently' }).click();
    await expect(dialog.getByRole('alert').filter({ hasText: 'Could not check what is still to pay' })).toBeVisible();
    await screenshot(page, 'deletion-unknown');
  });
});
