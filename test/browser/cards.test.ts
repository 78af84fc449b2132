import type { Page } from '@playwright/test';
import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { type Person, signUpVerified } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer, startServer } from '@tonerow/test-support/server.ts';
import { type StripeStandIn, startStripe } from '@tonerow/test-support/stripe/stand-in.ts';
import { afterAll, describe, expect, it } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll, screenshot } from './dashboard.ts';
import { standInForStripe } from './stripe-js.ts';

describe('cards in a browser', { timeout: 120_000 }, () => {
  let without: SharedServer;
  let stripe: StripeStandIn;
  afterAll(() => stripe?.stop());
  const { server, openPage } = browserSuite(async () => {
    stripe = await startStripe();
    const [own, shared] = await Promise.all([startServer({ web: true, env: stripe.env }), sharedServer({ web: true })]);
    without = shared;
    return own;
  });

  const open = (as: Person, options: { theme?: 'dark'; width?: number; at?: SharedServer } = {}) =>
    openPage({ ...options, as });

  /** Not by its text alone: an address at random has any four digits now and then. */
  const cardOf = (page: Page, digits: string) => page.locator('.figures', { hasText: digits });

  async function enter(page: Page, number: string) {
    const fields = page.frameLocator('iframe[title="Secure card payment input frame"]');
    await fields.getByLabel('Card number').fill(number);
    await fields.getByLabel('Expiration date').fill('12 / 34');
    await fields.getByLabel('Security code').fill('123');
    await page.getByRole('button', { name: 'Save card' }).click();
  }

  it('are entered, declined, replaced and removed', async () => {
    const ada = await signUpVerified(server);
    const page = await open(ada);
    await standInForStripe(page.context(), stripe);
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().startsWith(server.url)) sent.push(`${request.url()} ${request.postData() ?? ''}`);
    });
    await page.goto('/dashboard/settings#billing');
    await expect(page.getByText('No card on file.')).toBeVisible();
    await expect(page.getByText('NO BILLING RECORD')).toBeVisible();
    await screenshot(page, 'billing-section-without-card');

    await page.getByRole('link', { name: 'Add a card' }).click();
    await expect(page.getByRole('heading', { name: 'Add a card' })).toBeVisible();
    await enter(page, '4000 0000 0000 0002');
    await expect(page.getByRole('alert').filter({ hasText: 'Your card was declined.' })).toBeVisible();
    await expectAccessible(page);
    await screenshot(page, 'card-declined');

    // the same secret, since nothing was confirmed with it
    await enter(page, '4242 4242 4242 4242');
    await expect(page.getByText('Payment method updated successfully!')).toBeVisible();
    await expect(cardOf(page, '4242')).toBeVisible();
    await screenshot(page, 'card-saved');

    await page.getByRole('button', { name: 'Enter another card' }).click();
    await enter(page, '5555 5555 5555 4444');
    await expect(page.getByText('Payment method updated successfully!')).toBeVisible();
    await expect(page.getByText('Mastercard')).toBeVisible();

    await page.getByRole('link', { name: 'Back to Settings' }).click();
    await expect(page.getByRole('link', { name: 'Update card' })).toBeVisible();
    await expect(cardOf(page, '4444')).toBeVisible();
    const remove = page.getByRole('alertdialog').getByRole('button', { name: 'Remove card' });
    await server.db.query("update users set plan = 'creator' where id = $1", [ada.id]);
    await page.reload();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(page.getByText('Your plan, Creator, needs a card.')).toBeVisible();
    await expect(remove).toBeDisabled();
    await server.db.query("update users set plan = 'free' where id = $1", [ada.id]);
    await page.reload();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await remove.click();
    await expect(page.getByText('No card on file.')).toBeVisible();
    // whole numbers: four digits of one are in a port or an id now and then
    const numbers = /4000000000000002|4242424242424242|5555555555554444/;
    expect(sent.filter((each) => numbers.test(each.replaceAll(/\s|\+|%20/g, '')))).toEqual([]);
    expect(sent.length).toBeGreaterThan(10);
  });

  it('are confirmed with the bank when it asks, on the same screen, and can be entered again when that fails', async () => {
    const ada = await signUpVerified(server);
    const page = await open(ada);
    await standInForStripe(page.context(), stripe);
    await page.goto('/dashboard/settings/card');
    const bank = page.frameLocator('iframe[title="3D Secure"]');
    await enter(page, '4000 0000 0000 3220');
    await bank.getByRole('button', { name: 'Fail' }).click();
    await expect(
      page.getByRole('alert').filter({ hasText: 'We are unable to authenticate your payment method.' }),
    ).toBeVisible();
    await expect(page.getByText('No card on file.')).toBeVisible();
    await screenshot(page, 'card-bank-said-no');
    await enter(page, '4000 0000 0000 3220');
    await bank.getByRole('button', { name: 'Complete' }).click();
    await expect(page.getByText('Payment method updated successfully!')).toBeVisible();
    await expect(cardOf(page, '3220')).toBeVisible();
  });

  it('leave the rest of the screen alone when Stripe’s script is blocked, and can be tried again', async () => {
    const ada = await signUpVerified(server);
    const page = await open(ada, { theme: 'dark', width: 390 });
    await page.context().route('https://js.stripe.com/**', (route) => route.abort());
    await page.goto('/dashboard/settings/card');
    await expect(page.getByText('Stripe’s card form couldn’t be loaded.')).toBeVisible();
    await expect(page.getByText('No card on file.')).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await screenshot(page, 'card-form-blocked-dark-phone');
    await page.context().unrouteAll();
    await standInForStripe(page.context(), stripe);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.frameLocator('iframe').getByLabel('Card number')).toBeVisible();
    await expectNoSidewaysScroll(page);
    await screenshot(page, 'card-form-dark-phone');
  });

  it('are entered in a document of their own: its content policy comes and goes with it', async () => {
    const ada = await signUpVerified(server);
    const page = await open(ada);
    await standInForStripe(page.context(), stripe);
    const documents: string[] = [];
    page.on('response', (response) => {
      if (response.request().isNavigationRequest() && response.frame() === page.mainFrame())
        documents.push(
          `${new URL(response.url()).pathname} ${(response.headers()['content-security-policy'] ?? '').includes('stripe')}`,
        );
    });
    await page.goto('/dashboard/settings#billing');
    await page.getByRole('link', { name: 'Add a card' }).click();
    await expect(page.getByRole('button', { name: 'Save card' })).toBeVisible();
    // not one of its own links
    await page.getByRole('link', { name: 'Customers', exact: true }).first().click();
    await expect(page.getByRole('heading', { name: 'Customers Hub' })).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('button', { name: 'Save card' })).toBeVisible();
    expect(documents).toEqual([
      '/dashboard/settings false',
      '/dashboard/settings/card true',
      '/dashboard/customers false',
      '/dashboard/settings/card true',
    ]);
  });

  it('are not taken by a server without Stripe; it shows that', async () => {
    const ada = await signUpVerified(without);
    const page = await open(ada, { at: without });
    for (const path of ['/dashboard/settings#billing', '/dashboard/settings/card']) {
      const response = await page.goto(path);
      await expect(page.getByText('Card payments are not set up on this server.')).toBeVisible();
      expect(await page.getByText('its number never reaches').count()).toBe(0);
      expect(response?.headers()['content-security-policy']).not.toContain('stripe');
    }
    await screenshot(page, 'cards-not-configured');
  });
});
