import type { Page } from '@playwright/test';
import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { execa } from 'execa';
import { beforeAll, describe, expect, it } from 'vitest';
import { createPlugin, createShop, expectToast, handOver, post, savedBy } from './dashboard.ts';

describe('the plugin side in a browser', { timeout: 60_000 }, () => {
  const { server, openPage } = browserSuite();
  let page: Page;

  beforeAll(async () => {
    page = await openPage();
    await page.goto('/login');
  });

  async function activate(code: string, token: string, machine: string) {
    const { plaintext } = await post<{ plaintext: string }>(
      server.url,
      '/api/developer/plugin-keys',
      { label: `For ${machine}` },
      token,
    );
    await post(
      server.url,
      '/api/license/v1/activate',
      { license_key: code, machine_id: machine, label: `Ada’s ${machine}`, version: '1.2.3', os: 'macOS 15' },
      plaintext,
    );
  }

  it('fills the examples in with a key and gives out the product’s public key', async () => {
    const shop = await createShop(server.url);
    await handOver(page, shop);
    await page.goto('/developer/tools/licensingapi');
    await expect(page.getByText('{{PLUGIN_KEY}}').first()).toBeVisible();
    await page.getByRole('button', { name: 'Fill in key' }).click();
    await expect(page.getByText(/tnr_plg_\w+/).first()).toBeVisible();
    // the one line beside it works as it is copied
    const line = await page.getByRole('region', { name: 'Try it' }).locator('pre').textContent();
    const { stdout } = await execa('bash', ['-c', line ?? '']);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'not_found' });
    await page.getByRole('link', { name: 'OnlineUnlockStatus' }).click();
    await page.getByRole('button', { name: 'Show RSA key' }).click();
    await expect(page.getByText('RSAKey ("').first()).toBeVisible();
    const download = await savedBy(page.getByRole('button', { name: 'Download RSA.xml' }));
    expect(download.name).toBe('RSA.xml');
    expect(download.text).toContain('<PublicKey value=');
  });

  it('rotates, stops, renames and deletes a plugin key', async () => {
    const shop = await createShop(server.url);
    await handOver(page, shop);
    await page.goto('/developer/tools/licensingapi');
    const choose = async (label: string, item: string) => {
      await page.getByRole('button', { name: `More for ${label}`, exact: true }).click();
      await page.getByRole('button', { name: item, exact: true }).locator('visible=true').click();
    };
    await choose('Universal API key', 'Deactivate');
    await expectToast(page, 'Key deactivated.');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expectToast(page, 'Key activated.');

    await choose('Universal API key', 'Rename');
    const rename = page.getByRole('dialog');
    await rename.getByLabel('Label').fill('Prism 2.0');
    await rename.getByRole('button', { name: /^(Rename|Save)/ }).click();
    await expect(page.getByRole('heading', { name: 'Prism 2.0' })).toBeVisible();

    await choose('Prism 2.0', 'Rotate');
    await page.getByRole('button', { name: 'Rotate key' }).click();
    await expect(page.getByText('The old key works until').first()).toBeVisible();
    await page.getByRole('button', { name: 'Done' }).click();

    const labels = page.getByRole('heading', { name: /^Prism 2\.0/ });
    await expect(labels).toHaveCount(2);
    const last = await labels.last().textContent();
    await page
      .getByRole('button', { name: `More for ${last}`, exact: true })
      .last()
      .click();
    await page.getByRole('button', { name: 'Delete', exact: true }).locator('visible=true').click();
    await page.getByRole('button', { name: 'Delete key' }).click();
    await expectToast(page, 'Key deleted.');
    await expect(labels).toHaveCount(1);
  });

  it('frees a machine’s seat and gives a serial seats of its own', async () => {
    const shop = await createShop(server.url);
    await activate(shop.codes[0] ?? '', shop.token, 'studio');
    await activate(shop.codes[0] ?? '', shop.token, 'stage');
    await handOver(page, shop);
    await page.goto(`/dashboard/serials/${shop.serialId}`);
    await expect(page.getByText('2 of 3 seats used')).toBeVisible();
    await page.getByRole('button', { name: 'Release Ada’s stage' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Release', exact: true }).click();
    await expectToast(page, 'Released Ada’s stage');
    await expect(page.getByText('1 of 3 seats used')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Release Ada’s stage' })).toHaveCount(0);

    await page.getByRole('button', { name: 'Edit seats' }).click();
    const field = page.getByRole('textbox', { name: 'Seats for this serial' });
    await field.fill('0');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Enter a whole number, 1 or more.')).toBeVisible();
    await field.fill('5');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('1 of 5 seats used')).toBeVisible();
    await page.getByRole('button', { name: 'Edit seats' }).click();
    await page.getByRole('button', { name: 'Same as product' }).click();
    await expect(page.getByText('1 of 3 seats used')).toBeVisible();

    await page.goto(`/dashboard/customers/${shop.customerId}`);
    await page.getByRole('button', { name: 'Release Ada’s studio' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Release', exact: true }).click();
    await expectToast(page, 'Released Ada’s studio');

    await page.goto('/dashboard/analytics?part=plugins');
    await expect(
      page.getByRole('region', { name: 'Machines' }).getByText('No machine holds a seat yet.'),
    ).toBeVisible();
  });

  it('shows what a plugin is refused while somebody watches, and narrows it', async () => {
    const shop = await createShop(server.url);
    const ask = await createPlugin(server.url, shop.token);
    const [license_key, other] = shop.codes;
    await handOver(page, shop);
    const stream = page.waitForResponse('**/api/events*');
    await page.goto('/developer/tools');
    await page.getByRole('link', { name: /^Refusals/ }).click();
    await expect(page.getByRole('heading', { name: 'Nothing was refused in the last 7 days.' })).toBeVisible();
    await stream;

    for (const machine_id of ['one', 'two', 'three']) {
      expect(await ask('activate', { license_key, machine_id })).toBe('active');
    }
    expect(await ask('activate', { license_key, machine_id: 'four', version: '2.1' })).toBe('seat_limit');
    const row = page.getByRole('row', { name: /Seat limit/ });
    await expect(row.getByText('All seats are taken.')).toBeVisible();
    await expect(row.getByText('four', { exact: true })).toBeVisible();
    await expect(row.getByText('Version 2.1')).toBeVisible();
    await expect
      .poll(() => row.getByRole('link', { name: license_key }).getAttribute('href'))
      .toBe(`/dashboard/serials/${shop.serialId}`);
    expect(await ask('validate', { license_key: other, machine_id: 'four' })).toBe('not_activated');
    const later = page.getByRole('row', { name: /Not activated/ });
    await expect(later).toBeVisible();

    // the list must not move under somebody who works in it: new rows wait for a click
    await row.hover();
    await row.getByRole('link', { name: 'Release a seat' }).focus();
    // back and forth: where keys have brought the focus counts for as long as it is there, a pointer for three seconds
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    expect(await ask('validate', { license_key: other, machine_id: 'five' })).toBe('not_activated');
    await page.getByRole('button', { name: '1 new', exact: true }).click();
    await expect(later).toHaveCount(2);

    await page.getByLabel('Reason').selectOption('Seat limit');
    await page.waitForURL(/status=seat_limit/);
    await expect(later).toHaveCount(0);
    await expect(row).toBeVisible();
    await page.reload();
    await expect(row).toBeVisible();
    await expect(later).toHaveCount(0);
    await page.getByRole('combobox', { name: 'Product' }).click();
    await page.getByRole('option', { name: 'Needle EQ' }).click();
    await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible();
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await expect(later).toHaveCount(2);
    await row.getByRole('link', { name: 'Release a seat' }).click();
    await expect(page.getByText('3 of 3 seats used')).toBeVisible();
  });
});
