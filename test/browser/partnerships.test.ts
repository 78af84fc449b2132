import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { call, makeProduct, makeSerials, redeem } from '@tonerow/test-support/http.ts';
import { makePartners } from '@tonerow/test-support/partners.ts';
import { describe, expect, it } from 'vitest';
import {
  expectAccessible,
  expectGoodLooks,
  expectNoSidewaysScroll,
  handOver,
  openLive,
  screenshot,
} from './dashboard.ts';

describe('partnerships in a browser', { timeout: 120_000 }, () => {
  const { server, openPage } = browserSuite();

  /** A developer and a reseller with one serial sold. */
  async function shop() {
    const partners = await makePartners(server, 20);
    const { developer, reseller, partnershipId } = partners;
    await call(server, 'PUT', '/api/account/settings', {
      token: reseller.token,
      body: { company_name: 'Plugin Shop', website_url: 'https://shop.example.com/' },
    });
    const product = await makeProduct(server, developer.token, { name: `Prism Delay ${partnershipId.slice(-4)}` });
    const serials = await makeSerials(server, developer.token, product.id, { reseller_id: partnershipId });
    await redeem(server, serials[0]?.code as string, 'mara@example.com', developer.id);
    return partners;
  }

  it('change rate, pause and end, and the other side sees it without a reload', async () => {
    const { developer, reseller } = await shop();
    const page = await openPage({ as: developer });
    await openLive(page, '/dashboard/resellers');
    await page.getByRole('link', { name: 'Profile of Plugin Shop' }).click();
    await expect(page.getByRole('heading', { name: 'Plugin Shop', level: 1 })).toBeVisible();

    const shopPage = await openPage({ as: reseller });
    await openLive(shopPage, `/reseller/developers/${developer.id}`);
    await expect(shopPage.getByRole('heading', { name: 'Row Audio', level: 1 })).toBeVisible();
    await expect(shopPage.getByRole('list', { name: 'Products' }).getByText('Prism Delay')).toBeVisible();

    await page.getByRole('button', { name: 'Change rate' }).click();
    await expect(page.getByText('counts for later redemptions only')).toBeVisible();
    await page.getByLabel('Commission in percent').fill('101');
    await page.getByRole('dialog').getByRole('button', { name: 'Change rate' }).click();
    await expect(page.getByText('Enter a percentage from 0 to 100')).toBeVisible();
    await page.getByLabel('Commission in percent').fill('27.5');
    await screenshot(page, 'reseller-rate-dialog');
    await page.getByRole('dialog').getByRole('button', { name: 'Change rate' }).click();
    await expect(
      page.getByRole('list', { name: 'History' }).getByText('You changed the commission from 20% to 27.5%.'),
    ).toBeVisible();
    await expect(
      shopPage.getByRole('list', { name: 'History' }).getByText('Row Audio changed the commission from 20% to 27.5%.'),
    ).toBeVisible();

    await page.getByRole('button', { name: 'Pause' }).click();
    await expect(page.getByRole('alertdialog').getByText('no longer sees your products')).toBeVisible();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Pause' }).click();
    await expect(shopPage.getByText('has paused your partnership')).toBeVisible();
    await expect(shopPage.getByRole('list', { name: 'Products' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Resume' }).click();
    await expect(shopPage.getByRole('list', { name: 'Products' })).toBeVisible();

    await page.getByRole('button', { name: 'Message' }).click();
    await page.getByRole('textbox', { name: 'Message' }).fill('New presets are out on Friday.');
    await page.getByRole('button', { name: 'Send message' }).click();
    await expect(page.locator('[data-sonner-toast]').getByText('Message sent.')).toBeVisible();
    await page.getByLabel('Serials left of a product').fill('5');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.locator('[data-sonner-toast]').getByText('Stock alert saved.')).toBeVisible();

    await page.getByRole('button', { name: 'End partnership' }).click();
    await page.getByRole('alertdialog').getByRole('textbox').fill('Plugin Shop');
    await screenshot(page, 'reseller-end-dialog');
    await page.getByRole('alertdialog').getByRole('button', { name: 'End partnership' }).click();
    await expect(page.getByText('This partnership has ended.')).toBeVisible();
    await expect(shopPage.getByText('Developer not found')).toBeVisible();
    await shopPage.getByRole('link', { name: 'See your developers' }).click();
    await expect(shopPage.getByText('No developer partners found yet.')).toBeVisible();
    await shopPage.getByRole('link', { name: 'Past' }).click();
    const past = shopPage.getByRole('list', { name: 'Developers' });
    await expect(past.getByRole('heading', { name: 'Row Audio' })).toBeVisible();
    await expect(past.getByText(developer.email)).toHaveCount(0);
  });

  it('merge a reseller without an account into one with an account', async () => {
    const { developer, partnershipId } = await shop();
    const product = await makeProduct(server, developer.token);
    await makeSerials(server, developer.token, product.id, { new_reseller_name: 'Plugin Shop by mail' });
    const page = await openPage({ as: developer, theme: 'dark', width: 390 });
    await page.goto('/dashboard/resellers?search=by+mail');
    await page.getByRole('link', { name: 'Profile of Plugin Shop by mail' }).click();
    await page.getByRole('button', { name: 'Merge' }).click();
    await page.getByRole('button', { name: 'See what changes' }).click();
    await expect(page.getByText('Choose a reseller.')).toBeVisible();
    await page.getByRole('combobox', { name: 'Merge into' }).fill('plugin');
    await page.getByRole('option', { name: /Plugin Shop/ }).click();
    await page.getByRole('button', { name: 'See what changes' }).click();
    await expect(page.getByText('Moves to Plugin Shop: 1 batch with 3 available serials.')).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await screenshot(page, 'reseller-merge-dark-390');
    await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click();
    await expect(page.getByRole('heading', { name: 'Plugin Shop', level: 1, exact: true })).toBeVisible();
    await expect(
      page.getByRole('list', { name: 'History' }).getByText('You merged Plugin Shop by mail into this partnership.'),
    ).toBeVisible();
    expect(new URL(page.url()).pathname).toBe(`/dashboard/resellers/${partnershipId}`);
  });

  it('fit into a desk and into a phone, in both themes', async () => {
    const { developer, reseller, partnershipId } = await shop();
    const more = await makeProduct(server, developer.token);
    await makeSerials(server, developer.token, more.id, { new_reseller_name: 'A shop with quite a long name' });
    const page = await openPage({ as: developer });
    for (const [who, path, name, ready] of [
      [developer, '/dashboard/resellers', 'resellers', 'Plugin Shop'],
      [developer, `/dashboard/resellers/${partnershipId}`, 'reseller-profile', 'History'],
      [reseller, '/reseller/partners', 'developers', 'Row Audio'],
      [reseller, `/reseller/developers/${developer.id}`, 'developer-profile', 'History'],
    ] as const) {
      if (name === 'developers') await handOver(page, who);
      await page.goto(path);
      await expect(page.getByRole('heading', { name: ready }).first()).toBeVisible();
      if (name === 'resellers') await page.getByText('Details').first().click();
      await expectGoodLooks(page, name);
    }
  });
});
