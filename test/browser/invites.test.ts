import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { makeProduct, signUpVerified } from '@tonerow/test-support/http.ts';
import { describe, expect, it } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll, openLive, post, screenshot } from './dashboard.ts';

describe('invitations in a browser', { timeout: 90_000 }, () => {
  const { server, openPage } = browserSuite();

  it('lead from the developer’s list over the email and registration to a partnership', async () => {
    const ada = await signUpVerified(server);
    const product = await makeProduct(server, ada.token);
    const draft = await makeProduct(server, ada.token, { is_draft: true });
    const page = await openPage({ as: ada });
    await openLive(page, '/dashboard/resellers');
    await expect(page.getByText('No reseller partners found yet.')).toBeVisible();
    await page.getByRole('button', { name: 'Invite reseller' }).click();
    await page.getByLabel('Email').fill('shop@example.com');
    await page.getByLabel('Commission in percent').fill('12.5');
    await page.getByLabel('Message').fill('Sell our spring bundle?');
    await screenshot(page, 'invite-dialog');
    await page.getByRole('button', { name: 'Send invite' }).click();
    await expect(page.locator('[data-sonner-toast]').getByText('Invitation sent successfully!')).toBeVisible();
    const row = page.getByRole('listitem').filter({ hasText: 'shop@example.com' });
    await expect(row.getByText('Pending')).toBeVisible();
    await expect(row.getByRole('button', { name: 'Resend to' })).toBeDisabled();
    await expect(row.getByText(/Can be sent again in/)).toBeVisible();

    const email = await server.email((each) => each.to?.[0]?.address === 'shop@example.com');
    const link = /\/invite\?token=\S+/.exec(email.text ?? '')?.[0] as string;
    const shop = await openPage();
    await shop.goto(link);
    await expect(shop.getByText('It was sent to shop@example.com.')).toBeVisible();
    // who, what and for how much, before any form
    await expect(shop.getByText('Row Audio invites you to sell their plugins.')).toBeVisible();
    await expect(shop.getByText('12.5%')).toBeVisible();
    await expect(shop.getByRole('region', { name: 'Products' }).getByText(product.name)).toBeVisible();
    expect(await shop.getByText(draft.name).count()).toBe(0);
    expect(await shop.getByText('Sell our spring bundle?').count()).toBe(0);
    await expectAccessible(shop);
    await screenshot(shop, 'invite-signed-out');
    await shop.getByRole('link', { name: 'Create an account' }).click();
    await expect(shop.getByRole('heading', { name: 'Register as reseller' })).toBeVisible();
    await expect.poll(() => shop.getByLabel('Email', { exact: true }).inputValue()).toBe('shop@example.com');
    await shop.getByLabel('First name').fill('Rae');
    await shop.getByLabel('Last name').fill('Shop');
    await shop.getByLabel('Password', { exact: true }).fill('a row of twelve notes');
    await shop.getByLabel('Confirm password').fill('a row of twelve notes');
    await shop.getByLabel('Company name').fill('Plugin Shop');
    await shop.getByRole('button', { name: /Register|Create/ }).click();
    await expect(shop.getByText('Sell our spring bundle?')).toBeVisible();
    await expect(shop.getByText('12.5%')).toBeVisible();
    await expectAccessible(shop);
    await screenshot(shop, 'invite-opened');
    await shop.getByRole('button', { name: 'Accept' }).click();
    await expect(shop.getByText('are connected.')).toBeVisible();

    // by the live event, without a reload
    await expect(row.getByText('Accepted')).toBeVisible();
    await expect(
      page.getByRole('list', { name: 'Resellers' }).getByRole('heading', { name: 'Plugin Shop' }),
    ).toBeVisible();
    await shop.getByRole('link', { name: 'Go to the dashboard' }).click();
    await expect(shop.getByRole('button', { name: 'Notifications' })).toBeVisible();
  });

  it('arrive under the bell while the page is open, count, and are answered there', async () => {
    const [ada, rae] = [await signUpVerified(server), await signUpVerified(server, 'reseller')];
    const page = await openPage({ as: rae });
    await openLive(page, '/reseller/partners');
    await page.getByRole('button', { name: 'Notifications', exact: true }).click();
    await expect(page.getByText('No pending invites')).toBeVisible();
    await post(server.url, '/api/reseller/developer/invite-reseller', { email: rae.email }, ada.token);
    await expect(page.getByRole('button', { name: 'Notifications, 1 pending' })).toBeVisible();
    const invite = page.getByRole('list', { name: 'Pending invites' });
    await expect(invite.getByText('Received:')).toBeVisible();
    await expect(invite.getByText(ada.email)).toBeVisible();
    await screenshot(page, 'bell-with-invite');
    await invite.getByRole('button', { name: 'Reject' }).click();
    await expect(page.getByText('No pending invites')).toBeVisible();
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Invite Developer' }).click();
    await page.getByLabel('Email').fill('maker@example.com');
    await page.getByRole('button', { name: 'Send invite' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'maker@example.com' });
    await row.getByRole('button', { name: 'Withdraw' }).click();
    await expect(row.getByText('Withdrawn')).toBeVisible();
    await expectNoSidewaysScroll(page);
  });

  it('fit into a desk and into a phone, however long the address', async () => {
    const [ada, rae] = [await signUpVerified(server), await signUpVerified(server, 'reseller')];
    const emails = [rae.email, 'a-very-long-address-of-a-shop@subdomain.of.a.long.example.com'];
    const message = 'Would you like to sell our spring bundle?';
    await post(server.url, '/api/reseller/developer/invite-reseller', { emails, message }, ada.token);
    for (const [who, path, name] of [
      [ada, '/dashboard/resellers', 'resellers-invited'],
      [rae, '/reseller/partners', 'developers-bell'],
    ] as const) {
      const page = await openPage({ as: who, width: 390 });
      await page.goto(path);
      if (who === rae) await page.getByRole('button', { name: 'Notifications, 1 pending' }).click();
      else await expect(page.getByText('Sent invitations')).toBeVisible();
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 860 });
        await expectNoSidewaysScroll(page);
        await screenshot(page, `${name}-${width}`);
      }
    }
  });
});
