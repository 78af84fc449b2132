import { billingScene, plantStatement } from '@tonerow/test-support/billing.ts';
import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { type Person, signUpVerified } from '@tonerow/test-support/http.ts';
import { setPlan } from '@tonerow/test-support/plans.ts';
import { type SharedServer, sharedServer, startServer } from '@tonerow/test-support/server.ts';
import { type StripeStandIn, startStripe } from '@tonerow/test-support/stripe/stand-in.ts';
import { afterAll, describe, expect, it } from 'vitest';
import { expectAccessible, expectGoodLooks, expectNoSidewaysScroll, openLive, screenshot } from './dashboard.ts';
import { standInForStripe } from './stripe-js.ts';

describe('an account’s state, in a browser', { timeout: 120_000 }, () => {
  let without: SharedServer;
  let stripe: StripeStandIn;
  afterAll(() => stripe?.stop());
  const { server, openPage } = browserSuite(async () => {
    stripe = await startStripe();
    const [own, shared] = await Promise.all([startServer({ web: true, env: stripe.env }), sharedServer({ web: true })]);
    without = shared;
    return own;
  });

  const { addCard, besideIt } = billingScene(() => ({ server, stripe }));
  const collect = () => besideIt((deps) => deps.collection.run());
  const open = (as: Person, options: { theme?: 'dark'; width?: number; at?: SharedServer } = {}) =>
    openPage({ ...options, as });
  const setState = (at: SharedServer, id: string, state: string) =>
    at.db.query(
      `update billing_statements set state = $2::text, attempts = 1, last_error = 'Your card was declined.', last_reason = 'card_declined',
         paid_at = case when $2::text = 'paid' then now() end, next_attempt_at = null where id = $1`,
      [id, state],
    );

  it('is shown for an invoice in each state', async () => {
    const ada = await signUpVerified(server);
    await addCard(ada);
    const invoice = await plantStatement(server.db, ada, { amounts: [1000, 55] });
    const page = await open(ada);
    for (const [state, words, advice] of [
      ['paid', 'ACTIVE', null],
      ['open', 'NEEDS ATTENTION', 'We try again in a few days, and at once when you enter another card.'],
      ['failed', 'INACTIVE', 'This card is not tried again. Enter another one, and we try at once.'],
      ['uncollectible', 'INACTIVE', 'We have stopped trying. Please contact whoever runs this server.'],
    ] as const) {
      await setState(server, invoice, state);
      await (state === 'paid' ? page.goto('/dashboard/settings#billing') : page.reload());
      const section = page.locator('#billing');
      await expect(section.getByText(words, { exact: true })).toBeVisible();
      if (advice) await expect(section.getByText(advice)).toBeVisible();
      else await expect(section.getByText('could not be charged'), state).toHaveCount(0);
      await expectGoodLooks(page, `account-${state}`);
    }
  });

  it('is shown without any invoice, for a state that the page does not know, and when it cannot be loaded', async () => {
    const ada = await signUpVerified(server);
    const page = await open(ada);
    await page.goto('/dashboard/settings#billing');
    await expect(page.getByText('NO BILLING RECORD', { exact: true })).toBeVisible();
    await page.route('**/api/billing/subscription-status', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({
        response: answer,
        json: { ...(await answer.json()), status: 'paused', attention: 'paused' },
      });
    });
    await page.reload();
    await expect(page.getByText('UNKNOWN', { exact: true })).toBeVisible();
    await expectAccessible(page);
    await page.route('**/api/billing/subscription-status', (route) => route.fulfill({ status: 502, body: '' }));
    await page.reload();
    await expect(page.getByRole('heading', { name: "Billing couldn't be loaded" })).toBeVisible();
    await expectAccessible(page);
    await screenshot(page, 'account-broken');
  });

  it('is shown on a server without Stripe too, noting that it charges nothing', async () => {
    const ada = await signUpVerified(without);
    await plantStatement(without.db, ada);
    await without.db.query(
      "update billing_statements set state = 'local', next_attempt_at = null where developer_id = $1",
      [ada.id],
    );
    const page = await open(ada, { at: without });
    await page.goto('/dashboard/settings#billing');
    await expect(page.getByText('NO BILLING RECORD', { exact: true })).toBeVisible();
    await expect(page.getByText('Card payments are not set up on this server.')).toBeVisible();
    await expect(page.getByText('could not be charged')).toHaveCount(0);
    await expectGoodLooks(page, 'account-without-stripe');
  });

  it('comes to the bell and the screen at once: a charge that failed, that the bank wants confirmed, and that is paid at last', async () => {
    const ada = await signUpVerified(server);
    const card = await addCard(ada);
    stripe.behave(card.id, 'authentication_required');
    await plantStatement(server.db, ada, { amounts: [1000, 55] });
    const page = await open(ada);
    await standInForStripe(page.context(), stripe);
    await openLive(page, '/dashboard/settings#billing');
    const section = page.locator('#billing');
    await expect(section.getByText('NO BILLING RECORD', { exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();

    const seen = (words: string) => expect(page.getByText(words).locator('visible=true').first()).toBeVisible();
    // the toast, the section and the bell, without a click
    await Promise.all([seen('Your bank asks you to confirm the payment for February 2026'), collect()]);
    await expect(section.getByText('NEEDS ATTENTION', { exact: true })).toBeVisible();
    await expect(section.getByText('Your bank wants you to confirm the payment.')).toBeVisible();
    await screenshot(page, 'account-confirm-payment');
    await page.getByRole('button', { name: 'Notifications, 2: 1 pending, 1 unread' }).click();
    await expect(page.getByRole('link', { name: 'Your bank asks you to confirm a payment of $10.55' })).toBeVisible();
    await expectAccessible(page);
    await screenshot(page, 'bell-confirm-payment');
    await page.getByRole('link', { name: 'Your bank asks you to confirm a payment of $10.55' }).click();

    await expect(page.getByRole('heading', { name: 'Confirm your payment' })).toBeVisible();
    const confirm = page.getByRole('button', { name: 'Confirm $10.55' });
    await expect(confirm).toBeVisible();
    await expectAccessible(page);
    await screenshot(page, 'confirm-payment');
    const bank = page.frameLocator('iframe[title="3D Secure"]');
    await confirm.click();
    await bank.getByRole('button', { name: 'Fail' }).click();
    await expect(
      page.getByRole('alert').filter({ hasText: 'We are unable to authenticate your payment method.' }),
    ).toBeVisible();
    await expectAccessible(page);
    await screenshot(page, 'confirm-payment-bank-said-no');
    await confirm.click();
    await bank.getByRole('button', { name: 'Complete' }).click();
    await expect(page.getByText('$10.55 are paid. Thank you.')).toBeVisible();
    await expectAccessible(page);
    await screenshot(page, 'confirm-payment-paid');
    await page.getByRole('link', { name: 'Settings', exact: true }).first().click();
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Plan and billing' }).click();
    await expect(section.getByText('ACTIVE', { exact: true })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Your bank asks' })).not.toBeAttached();
  });

  it('comes to the bell when a new card has paid', async () => {
    const ada = await signUpVerified(server);
    await addCard(ada, 'pm_card_chargeCustomerFail');
    await plantStatement(server.db, ada, { amounts: [1000, 55] });
    await collect();
    const page = await open(ada);
    await openLive(page, '/dashboard/settings#billing');
    const section = page.locator('#billing');
    await expect(section.getByText('NEEDS ATTENTION', { exact: true })).toBeVisible();
    const bell = page.getByRole('button', { name: /^Notifications/ });
    const seen = (words: string) => expect(page.getByText(words).locator('visible=true').first()).toBeVisible();
    await Promise.all([seen('Your invoice for February 2026 is paid'), addCard(ada)]);
    await expect(section.getByText('ACTIVE', { exact: true })).toBeVisible();
    await bell.click();
    await expect(
      page.getByRole('list', { name: 'Recent' }).getByText('Your invoice for February 2026 is paid'),
    ).toBeVisible();
    await expect(page.getByRole('link', { name: /could not be charged/ })).toHaveCount(0);
    await expectAccessible(page);
    await screenshot(page, 'bell-paid');

    // and it is there after a reload, with what came before
    await page.reload();
    await expect(section.getByText('ACTIVE', { exact: true })).toBeVisible();
    await bell.click();
    const recent = page.getByRole('list', { name: 'Recent' }).getByRole('listitem');
    await expect(recent.first().getByText('Your invoice for February 2026 is paid')).toBeVisible();
    await expect
      .poll(() => recent.allTextContents())
      .toEqual([expect.stringContaining('is paid'), expect.stringContaining('did not go through')]);
    await screenshot(page, 'bell-reloaded');
    await recent.first().getByRole('link').click();
    await expect(page.getByRole('heading', { name: /^Invoice / })).toBeVisible();
  });

  it('is under the bell when nobody was there as it happened: no card for the plan, and one that ends soon', async () => {
    const [needed, soon] = [await signUpVerified(server), await signUpVerified(server)];
    await setPlan(server.db, { plan: 'creator', accountId: needed.id });
    await addCard(soon);
    await server.db.query(
      `update billing_customers set exp_month = extract(month from now() - interval '1 month'), exp_year = extract(year from now() - interval '1 month')
       where developer_id = $1`,
      [soon.id],
    );
    for (const [person, words, theme, width] of [
      [needed, 'Your plan needs a card', 'light', 1280],
      [soon, 'Your card expires soon or has expired', 'dark', 390],
    ] as const) {
      const page = await open(person, { width, ...(theme === 'dark' ? { theme } : {}) });
      await page.goto('/dashboard/customers');
      await page.getByRole('button', { name: 'Notifications, 1 pending' }).click();
      await expect(page.getByRole('link', { name: words })).toBeVisible();
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
      await screenshot(page, `bell-${theme}-${width}`);
      await page.getByRole('link', { name: words }).click();
      await page.waitForURL(/\/dashboard\/settings#billing$/);
      await expect(page.locator('#billing').getByRole('status').last()).toBeVisible();
    }
  });
});
