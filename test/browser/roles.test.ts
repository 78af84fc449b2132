import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { makeProduct, makeSerials, redeem, signUpVerified } from '@tonerow/test-support/http.ts';
import { makePartners } from '@tonerow/test-support/partners.ts';
import { describe, expect, it } from 'vitest';
import { expectAccessible, handOver, screenshot } from './dashboard.ts';

describe('the dashboard of each role', { timeout: 120_000 }, () => {
  const { server, openPage } = browserSuite();

  it('leads from the tab of another role to the refusal, and does not find an unknown tab', async () => {
    const page = await openPage({ as: await signUpVerified(server, 'reseller') });
    await page.goto('/dashboard/Tools');
    await page.waitForURL((url) => url.pathname === '/not-authorized');
    await page.goto('/dashboard/nope');
    await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
  });

  it('keeps a reseller’s four figures after the last partnership has ended, and shows them before the first', async () => {
    const { developer, reseller, partnershipId } = await makePartners(server, 20);
    const product = await makeProduct(server, developer.token, { price: 50 });
    const [serial] = await makeSerials(server, developer.token, product.id, { reseller_id: partnershipId });
    await redeem(server, serial?.code as string, 'nina@example.com');
    await server.db.query("update partnerships set status = 'ended' where id = $1", [partnershipId]);
    const figures = {
      'Total Redemptions': '1',
      'Commission Earned': '$10.00',
      'Connected Products': '0',
      'Available Serials': '0',
    };
    const none = { ...figures, 'Total Redemptions': '0', 'Commission Earned': '$0.00' };
    const page = await openPage({ as: reseller });
    for (const [as, shown, text] of [
      [reseller, figures, 'No serials yet'],
      [await signUpVerified(server, 'reseller'), none, 'Work with developers'],
    ] as const) {
      await handOver(page, as);
      await page.goto('/reseller/dashboard');
      await expect(page.getByText(text)).toBeVisible();
      for (const [name, value] of Object.entries(shown))
        await expect
          .poll(() => page.getByRole('main').getByText(name, { exact: true }).locator('..').textContent())
          .toContain(value);
      // how it is before the first partnership is among the screens
      if (as === reseller) await expectAccessible(page);
      await screenshot(page, `reseller-dashboard-${text.toLowerCase().replaceAll(' ', '-')}`);
    }
  });

  it('shows if a logo was refused or never arrived', async () => {
    const page = await openPage({ as: await signUpVerified(server, 'developer') });
    await page.goto('/dashboard/settings/branding');
    const choose = () =>
      page
        .locator('input[type=file]')
        .first()
        .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('<html>no picture</html>') });
    await choose();
    const toast = page.locator('[data-sonner-toast]');
    await expect(toast.getByText('Failed to upload logo.')).toBeVisible();
    await page.route('**/api/**', (route) => route.abort());
    await choose();
    await expect(toast.getByText('Upload failed.', { exact: true })).toBeVisible();
  });
});
