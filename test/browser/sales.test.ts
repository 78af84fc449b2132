import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { call, makeProduct, makeSerials, redeem, signUpVerified } from '@tonerow/test-support/http.ts';
import { connectPartners } from '@tonerow/test-support/partners.ts';
import { describe, expect, it } from 'vitest';
import { DARK_PHONE, expectAccessible, expectNoSidewaysScroll, savedBy, screenshot, setLook } from './dashboard.ts';

describe('sales in a browser', { timeout: 120_000 }, () => {
  const { server, openPage } = browserSuite();

  it('are what the reseller sees after a refund: the same figures on the dashboard, in analytics and in the list', async () => {
    const reseller = await signUpVerified(server, 'reseller');
    const developers = [];
    for (const [name, price, rate] of [
      ['Prism Delay', 69, 20],
      ['Needle EQ', 39, 12.5],
    ] as const) {
      const developer = await signUpVerified(server);
      const partnership = await connectPartners(server, developer, reseller, rate);
      const product = await makeProduct(server, developer.token, { name, price });
      const serials = await makeSerials(server, developer.token, product.id, { quantity: 4, reseller_id: partnership });
      developers.push({ developer, serials });
    }
    const [prism, needle] = developers as [(typeof developers)[number], (typeof developers)[number]];
    await redeem(server, prism.serials[0]?.code as string, 'mara@example.com', prism.developer.id);
    await redeem(server, prism.serials[1]?.code as string, 'otis@example.com', prism.developer.id);
    await redeem(server, needle.serials[0]?.code as string, 'mara@example.com', needle.developer.id);
    await call(server, 'POST', `/api/serials/${prism.serials[0]?.id}/refund`, {
      token: prism.developer.token,
      body: { amount: 9, reason: 'Late update' },
    });

    const page = await openPage({ as: reseller });
    await page.goto('/reseller/dashboard');
    await expect(page.getByText('$30.68', { exact: true })).toBeVisible();
    await expect(page.getByText('$30.68 in 30 days')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Prism Delay' }).first()).toBeVisible();
    expect((await savedBy(page.getByRole('button', { name: 'Download CSV of Prism Delay' }).first())).name).toMatch(
      /\.csv$/,
    );
    await screenshot(page, 'reseller-dashboard');

    await page.getByRole('link', { name: 'Analytics' }).click();
    await expect(page.getByRole('heading', { name: 'Reseller Overview' })).toBeVisible();
    await expect(page.getByText('After $1.80 taken back by refunds')).toBeVisible();
    await expect(page.getByText('$30.68').first()).toBeVisible();
    await page.getByLabel('Period').selectOption('Last 1 Day');
    await page.waitForURL(/days=1/);
    await page.getByLabel('Period').selectOption('Last 30 Days');
    await expect(page.getByRole('row', { name: /Needle EQ 1 – 12.51% \$4.88/ })).toBeVisible();
    await screenshot(page, 'reseller-analytics');
    const history = await savedBy(page.getByRole('button', { name: 'Export CSV' }));
    expect(history.text).toContain('Month (UTC),Developer,Product');

    await page.getByRole('link', { name: 'Transactions' }).first().click();
    await expect(page.getByText('3 customers')).toBeVisible();
    const people = await savedBy(page.getByRole('button', { name: 'Export CSV' }));
    const customers = people.text.trimEnd().split('\r\n');
    expect([customers.length, customers[0]]).toEqual([4, expect.stringContaining('First Name,Last Name,Email')]);
    await page.getByRole('link', { name: 'Transactions' }).last().click();
    await expect(page.getByText('4 transactions')).toBeVisible();
    await expect(page.getByRole('row', { name: /Refund Late update -\$9\.00 -\$1\.80/ })).toBeVisible();
    await page.getByRole('searchbox').fill('zither');
    await expect(page.getByText('No transactions found.')).toBeVisible();
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await expect(page.getByText('4 transactions')).toBeVisible();
    await page.getByRole('button', { name: 'Kind', exact: true }).click();
    await page.getByRole('checkbox', { name: 'Refund 1' }).check();
    await page.waitForURL(/kind=refund/);
    await expect(page.getByText('1 transaction', { exact: false })).toBeVisible();
    await screenshot(page, 'reseller-transactions-filter');
    await page.getByRole('button', { name: 'Leave out Refund' }).click();
    await page.waitForURL(/kind=-refund/);
    await expect(page.getByText('3 transactions')).toBeVisible();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Product', exact: true }).click();
    await page.getByRole('checkbox', { name: /^Needle EQ/ }).check();
    await page.waitForURL(/product=/);
    await page.keyboard.press('Escape');
    const { text: csv } = await savedBy(page.getByRole('button', { name: 'Export CSV' }));
    expect([csv.includes('Needle EQ'), csv.includes('Prism Delay'), csv.includes('refund')]).toEqual([
      true,
      false,
      false,
    ]);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(page.getByText('4 transactions')).toBeVisible();

    await setLook(page, DARK_PHONE);
    for (const screen of ['dashboard', 'analytics', 'transactions', 'transactions?tab=transactions']) {
      await page.goto(`/reseller/${screen}`);
      await expect(page.getByRole('main').getByText('Prism Delay').first()).toBeVisible();
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
      await screenshot(page, `reseller-${screen.replace('?tab=', '-')}-phone`);
    }
  });

  it('are refunded by the developer: the dialog asks when a serial is revoked', async () => {
    const developer = await signUpVerified(server);
    const product = await makeProduct(server, developer.token, { name: 'Prism Delay', price: 69 });
    const [serial] = await makeSerials(server, developer.token, product.id, { new_reseller_name: 'Plugin Harbour' });
    await redeem(server, serial?.code as string, 'mara@example.com', developer.id);
    const page = await openPage({ as: developer });
    await page.goto(`/dashboard/serials/${serial?.id}`);

    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText('Plugin Harbour’s commission is lowered with it.')).toBeVisible();
    await dialog.getByLabel('Amount').fill('70');
    await dialog.getByRole('button', { name: 'Refund' }).click();
    await expect(dialog.getByText('Only $69.00 can still be refunded.')).toBeVisible();
    await expect(dialog.getByText('Enter a reason.')).toBeVisible();
    await dialog.getByLabel('Amount').fill('9');
    await dialog.getByLabel('Reason').fill('Late update');
    await expectAccessible(page);
    await screenshot(page, 'refund-dialog');
    await dialog.getByRole('button', { name: 'Refund' }).click();
    await expect(page.getByRole('list', { name: 'Refunds' }).getByText('-$9.00')).toBeVisible();

    await page.getByRole('button', { name: /^Revoke/ }).click();
    await expect(dialog.getByText('Was the money given back?')).toBeVisible();
    await dialog.getByLabel('Yes, record a refund').check();
    await dialog.getByLabel('Reason').fill('Bought twice');
    await screenshot(page, 'revoke-dialog');
    await dialog.getByRole('button', { name: 'Refund and revoke' }).click();
    await expect(page.getByRole('main').getByText('Revoked', { exact: true }).first()).toBeVisible();
    await expect(page.getByRole('list', { name: 'Refunds' }).getByText('-$60.00')).toBeVisible();
    await expect(page.getByRole('main').getByText('Refunded $9.00', { exact: true })).toBeVisible();
    await expect(page.getByRole('main').getByText('Refunded $60.00', { exact: true })).toBeVisible();
    await screenshot(page, 'serial-refunded');

    await page
      .getByRole('button', { name: /^Reassign/ })
      .first()
      .click();
    await dialog.getByLabel('The customer has paid again: take the refund back').check();
    await dialog.getByLabel('Reason').fill('Paid again');
    await dialog.getByRole('button', { name: 'Take refund back' }).click();
    await expect(page.getByRole('list', { name: 'Refunds' }).getByText('Refund taken back')).toBeVisible();
    await expect(page.getByRole('main').getByText('Active', { exact: true }).first()).toBeVisible();

    await page.getByRole('button', { name: /^Revoke/ }).click();
    await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
    await expect(page.getByRole('main').getByText('Revoked', { exact: true }).first()).toBeVisible();
    const refunds = page.getByRole('list', { name: 'Refunds' }).getByRole('listitem');
    await expect(refunds.nth(2)).toBeVisible();
    await expect(refunds).toHaveCount(3);
  });

  it('are asked about in the list of redeemed serials too, wide and on a phone', async () => {
    const developer = await signUpVerified(server);
    const product = await makeProduct(server, developer.token, { name: 'Prism Delay', price: 69 });
    const [first, second] = await makeSerials(server, developer.token, product.id);
    for (const serial of [first, second])
      await redeem(server, serial?.code as string, 'mara@example.com', developer.id);
    const page = await openPage({ as: developer });
    await page.goto('/dashboard/serials');
    for (const serial of [first, second]) {
      if (serial === second) {
        await setLook(page, DARK_PHONE);
        // the notice of the first one would be in front of the dialog
        await page.reload();
      }
      await page
        .getByRole('button', { name: `Actions for ${serial?.code}` })
        .locator('visible=true')
        .click();
      await page.getByRole('button', { name: 'Revoke', exact: true }).locator('visible=true').click();
      const dialog = page.getByRole('dialog');
      await expect(dialog.getByText('Revoking alone moves no money.')).toBeVisible();
      await dialog.getByLabel('Yes, record a refund').check();
      await dialog.getByLabel('Reason').fill('Bought twice');
      await expectNoSidewaysScroll(page);
      // on a desk, it is that of the serial's page
      if (serial === second) await expectAccessible(page);
      await screenshot(page, `revoke-in-list-${serial === second ? 'dark-390' : 'light-1280'}`);
      await dialog.getByRole('button', { name: 'Refund and revoke' }).click();
      await expect(dialog).toBeHidden();
      await expect
        .poll(async () => (await call(server, 'GET', `/api/serials/${serial?.id}`, { token: developer.token })).body)
        .toMatchObject({ revoked: true, refunded: 69 });
    }
  });

  it('are explained where there are none yet', async () => {
    const reseller = await signUpVerified(server, 'reseller');
    const page = await openPage({ as: reseller });
    await page.goto('/reseller/dashboard');
    await expect(page.getByText('Work with developers')).toBeVisible();
    await page.goto('/reseller/analytics');
    await expect(page.getByText('No commission yet')).toBeVisible();
    await page.goto('/reseller/transactions');
    await expect(page.getByText('No customers found.')).toBeVisible();
    await page.goto('/reseller/transactions?tab=transactions');
    await expect(page.getByText('No transactions found.')).toBeVisible();
  });
});
