import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { makeProduct, makeSerials, PASSWORD, signUp } from '@tonerow/test-support/http.ts';
import { startServer } from '@tonerow/test-support/server.ts';
import * as OTPAuth from 'otpauth';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createShop, expectToast, handOver, openLive, redeem, savedBy, screenshot } from './dashboard.ts';

describe('the developer side in a browser', { timeout: 60_000 }, () => {
  // no test host points here
  const dns = { cname: async () => [] };
  const { server, openPage } = browserSuite(() => startServer({ web: true, overrides: { dns } }));
  let folder: string;
  let page: Page;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonerow-browser-'));
    page = await openPage();
    await page.goto('/login');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const file = async (name: string, content: string | Buffer) => {
    const place = path.join(folder, name);
    await writeFile(place, content);
    return place;
  };

  it('imports redeemed serials: the columns, a try, the file, and what was rejected', async () => {
    const shop = await createShop(server.url);
    await handOver(page, shop);
    await page.goto('/dashboard/serials');
    const demo = await savedBy(page.getByRole('button', { name: 'Download Demo' }));
    expect(demo.name).toBe('Demo-Redeemed-Serials.csv');
    expect(demo.text.split('\r\n')[0]).toContain('Purchase Date');
    await page.getByRole('button', { name: 'Import CSV' }).click();
    const dialog = page.getByRole('dialog');
    const csv =
      'Serial,Product,Email,First Name\nOLD-1,Prism Delay,vera@example.com,Vera\nOLD-2,Nothing,v@example.com,V\n';
    await dialog.locator('input[type=file]').setInputFiles(await file('sales.csv', csv));
    await dialog.getByRole('button', { name: /^Import/ }).click();
    await expect(dialog.getByText('Import completed with warnings').first()).toBeVisible();
    await expect(dialog.getByText('No product is named "Nothing".')).toBeVisible();
    const report = await savedBy(dialog.getByRole('button', { name: /rejected lines/i }));
    expect(report.text).toContain('3,OLD-2,');
    await page.keyboard.press('Escape');
    await expect(page.getByText('vera@example.com').locator('visible=true').first()).toBeVisible();
    const exported = await savedBy(page.getByRole('button', { name: 'Export CSV' }));
    expect(exported.text.split('\n')[0]).toBe('\ufeffRedeem Date,First,Last,Email,Serial,Product,Total');
    expect(exported.text).toContain('vera@example.com,OLD-1,Prism Delay');
  });

  it('opens a serial’s own page, and revokes many at once', async () => {
    const shop = await createShop(server.url);
    await handOver(page, shop);
    await page.goto('/dashboard/serials');
    await page.getByRole('link', { name: shop.codes[0] }).first().click();
    await expect(page.getByRole('heading', { name: new RegExp(shop.codes[0] as string) })).toBeVisible();
    await expect(page.getByText('mara@example.com').locator('visible=true').first()).toBeVisible();
    await expect(page.getByRole('heading', { name: 'History' })).toBeVisible();
    await expect(page.getByText('Redeemed', { exact: true }).first()).toBeVisible();
    await page.goBack();
    await page.getByRole('checkbox', { name: new RegExp(shop.codes[0] as string) }).check();
    await page
      .getByRole('button', { name: /^Revoke/ })
      .first()
      .click();
    await expect(page.getByText('Revoked', { exact: true }).first()).toBeAttached();
  });

  it('exports and deletes a group, and revokes the rest of a batch', async () => {
    const shop = await createShop(server.url);
    await handOver(page, shop);
    await page.goto('/dashboard/serials/available');
    const group = await savedBy(page.getByRole('button', { name: /Export Group/ }).first());
    expect(group.text.split('\r\n').length).toBeGreaterThan(3);
    await page
      .getByRole('button', { name: /Delete Group.*Black Friday|Delete Group/ })
      .last()
      .click();
    const confirm = page.getByRole('alertdialog');
    await expect(
      confirm.getByText('Are you sure you want to delete all serials in group Prism Delay · Black Friday?'),
    ).toBeVisible();
    await confirm.getByRole('button', { name: /Delete/ }).click();
    await expect(page.getByText('Prism Delay · Black Friday')).toHaveCount(0);
    await page.goto('/dashboard/serials/batches');
    await page.getByRole('link', { name: 'Prism Delay' }).first().click();
    await page.getByRole('button', { name: 'Revoke the unredeemed rest' }).click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /Revoke/ })
      .click();
    await expectToast(page, /11 serials/);
    const full = await savedBy(page.getByRole('button', { name: 'Re-export' }));
    expect([full.name, full.text.trim().split('\r\n').length]).toEqual(['serial_batch_full.csv', 13]);
  });

  it('keeps groups of the same name apart, and deletes the one that was chosen', async () => {
    const person = await signUp(server);
    const { token } = person;
    for (const [name, tag, quantity] of [
      ['Prism', 'Delay · Spring', 2],
      ['Prism · Delay', 'Spring', 3],
    ] as const) {
      const product = await makeProduct(server, token, { name });
      await makeSerials(server, token, product.id, { promo_price: 5, batch_tag: tag, quantity });
    }
    const odd = await makeProduct(server, token, { name: '__proto__' });
    await makeSerials(server, token, odd.id, { quantity: 4 });
    await handOver(page, person);
    // as bookmarks of before have it
    await page.goto('/dashboard/serials?tab=available&dateRange=1m');
    await page.waitForURL(/serials\/available\?dateRange=1m$/);
    await expect(page.getByRole('button', { name: /__proto__ 4 serials/ })).toBeVisible();
    await expect(page.getByRole('button', { name: /of Prism 2 serials/ })).toBeVisible();
    await screenshot(page, 'groups-of-one-name');
    await expect(page.getByRole('button', { name: /of Prism · Delay 3 serials/ })).toBeVisible();
    await page.getByRole('button', { name: 'Delete Group Prism · Delay · Spring' }).last().click();
    const confirm = page.getByRole('alertdialog');
    await expect(confirm.getByText(/Only those of Prism · Delay\. 3 serials/)).toBeVisible();
    await confirm.getByRole('button', { name: /Delete/ }).click();
    await expectToast(page, '3 serials deleted.');
    await expect(page.getByRole('button', { name: /Prism · Delay · Spring 2 serials/ })).toBeVisible();
  });

  it('finds a customer, hands over what is kept, and erases it', async () => {
    const shop = await createShop(server.url);
    await handOver(page, shop);
    await page.goto('/dashboard');
    await page.waitForURL('**/dashboard/customers');
    await page.getByRole('searchbox', { name: 'Search customers' }).fill('mara');
    await page.waitForURL(/search=mara/);
    const list = await savedBy(page.getByRole('button', { name: 'Export CSV' }));
    expect([list.name, list.text]).toEqual(['customers.csv', expect.stringContaining('mara@example.com')]);
    await page
      .getByRole('link', { name: /mara@example.com/ })
      .first()
      .click();
    await expect(page.getByRole('heading', { name: 'Mara Lindqvist' })).toBeVisible();
    const data = await savedBy(page.getByRole('button', { name: 'Export data' }));
    expect(JSON.parse(data.text)).toMatchObject({ email: 'mara@example.com' });
    await page.getByRole('button', { name: 'Erase personal data' }).click();
    const confirm = page.getByRole('alertdialog');
    const erase = confirm.getByRole('button', { name: /^Erase/ });
    await expect(erase).toBeDisabled();
    await confirm.getByRole('textbox').fill('mara@example.com');
    await erase.click();
    await expectToast(page, 'Customer erased.');
    await expect(page.getByRole('heading', { name: 'Erased customer' })).toBeVisible();
  });

  it('reads a period as charts, as tables and as a file', async () => {
    const shop = await createShop(server.url);
    await handOver(page, shop);
    await page.goto('/dashboard/analytics');
    await expect(page.getByRole('img', { name: /^Revenue by day/ })).toBeVisible();
    await page.getByRole('button', { name: 'Show revenue over time as table' }).click();
    await expect(page.getByRole('table', { name: 'Revenue over time' })).toBeVisible();
    await expect(page.getByText(/in UTC/).first()).toBeVisible();
    const csv = await savedBy(page.getByRole('button', { name: 'Download CSV' }));
    expect(csv.text).toMatch(
      /^\ufeffDate \(UTC\),Product,Reseller,Redemptions,Revenue,Refunded\r\n.*Prism Delay,,1,69.00,0.00/,
    );
    await page.getByRole('combobox', { name: 'Period' }).selectOption('Custom');
    await expect(page.getByRole('button', { name: 'Apply' })).toBeDisabled();
    await page.getByLabel('First day').fill('2020-01-01');
    await page.getByLabel('Last day').fill('2020-01-31');
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect(page.getByRole('heading', { name: 'No sales in this period' })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { name: 'No sales in this period' })).toBeVisible();
  });

  it('uploads a picture and a file, which goes on after the page was reloaded', async () => {
    const person = await signUp(server);
    await handOver(page, person);
    await page.goto('/products/add');
    await page.getByLabel('Product Name').fill('With everything');
    await page.getByLabel('Upload Image').setInputFiles(await file('fake.png', '<html>not a picture</html>'));
    await expect(page.getByText('Image upload failed').first()).toBeVisible();
    const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#7c3aed' } })
      .png()
      .toBuffer();
    await page.getByLabel('Upload Image').setInputFiles(await file('cover.png', picture));
    await expect(page.locator('img[src^="/media/images/"]').first()).toBeVisible();
    // a part and a bit
    const installer = await file('Installer.zip', Buffer.alloc(9 * 1024 * 1024, 'row'));
    // the second part never arrives, as when the lid is closed
    let parts = 0;
    await page.route('**/api/files/*', async (route) => {
      if (route.request().method() !== 'PATCH' || ++parts === 1) return route.continue();
      await new Promise(() => undefined);
    });
    await page.getByLabel('Files to upload').setInputFiles(installer);
    await expect.poll(() => parts, { timeout: 20_000 }).toBe(2);
    page.once('dialog', (dialog) => dialog.accept());
    await page.goto('/products/add');
    await expect(page.getByText(/Choose it again to resume/)).toBeVisible();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.getByLabel('Product Name').fill('With everything');
    await page.getByLabel('Upload Image').setInputFiles(await file('cover.png', picture));
    await expect(page.locator('img[src^="/media/images/"]').first()).toBeVisible();
    await page.getByLabel('Files to upload').setInputFiles(installer);
    await expect(page.getByRole('button', { name: /^Download Installer/ })).toBeVisible({ timeout: 30_000 });
    expect(await server.db.query("select 1 from files where name = 'Installer.zip'")).toHaveLength(1);
    await page.getByRole('button', { name: 'Submit' }).click();
    await expectToast(page, 'Product submitted!');
    const [product] = await server.db.query<{ file_urls: { name: string }[]; image_url: string }>(
      "select file_urls, image_url from products where name = 'With everything'",
    );
    expect([product?.file_urls[0]?.name, product?.image_url]).toEqual(['Installer', expect.stringMatching(/^\/media/)]);
  });

  it('warns the second of two people who edit one product', async () => {
    const shop = await createShop(server.url);
    await handOver(page, shop);
    await page.goto(`/products/edit/${shop.productId}`);
    await page.getByLabel('Short Description').fill('Mine');
    await fetch(`${server.url}/api/products/${shop.productId}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${shop.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ short_desc: 'Theirs' }),
    });
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(page.getByText(/Somebody else changed/).first()).toBeVisible();
    await page.getByRole('button', { name: 'Load the newer version' }).click();
    await expect.poll(() => page.getByLabel('Short Description').inputValue()).toBe('Mine');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expectToast(page, 'Product updated!');
  });

  it('guards the account with a second factor', async () => {
    const person = await signUp(server);
    await handOver(page, person);
    await page.goto('/dashboard/settings');
    await page.getByRole('switch', { name: 'Two-factor sign-in' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Your password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await expect(dialog.getByRole('img', { name: /QR code/ })).toBeVisible();
    const secret = ((await dialog.locator('code').first().textContent()) ?? '').replaceAll(' ', '');
    const totp = new OTPAuth.TOTP({ secret: OTPAuth.Secret.fromBase32(secret) });
    await dialog.getByLabel('Code from the app').fill(totp.generate());
    await dialog.getByRole('button', { name: 'Switch on' }).click();
    const list = dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
    await expect(list.first()).toBeVisible();
    const codes = await list.allTextContents();
    expect(codes).toHaveLength(10);
    await dialog.getByRole('button', { name: 'I have saved them' }).click();
    await page.evaluate(() => localStorage.clear());
    await page.goto('/login');
    await page.getByLabel('Email').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Code').fill('000000');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByText('This code is wrong or has already been used.')).toBeVisible();
    await page.getByRole('button', { name: 'Use a recovery code instead' }).click();
    await page.getByLabel('Recovery code').fill(codes[0] as string);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/dashboard/**');
  });

  it('saves settings, each part by itself, and warns before they are lost', async () => {
    const person = await signUp(server);
    await handOver(page, person);
    await page.goto('/dashboard/settings');
    await page.getByLabel('Fewer serials than').fill('25');
    await page.getByLabel('Remind of statements from').fill('12.50');
    await page.getByRole('button', { name: 'Save Settings' }).click();
    await expect(page.getByText('Settings saved!').first()).toBeVisible();
    // the logo and the support address have one place
    await expect(page.getByText('What your customers see, the logo and where they get help,')).toBeVisible();
    await expect(page.getByLabel('Support email')).toHaveCount(0);
    await page.getByRole('combobox', { name: 'Time zone' }).fill('new york');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Products' }).first().click();
    await page.getByRole('button', { name: 'Keep editing' }).click();
    // the notice of the first save may still be there
    const saving = page.waitForResponse((response) => response.request().method() === 'PUT');
    await page.getByRole('button', { name: 'Save Profile' }).click();
    expect((await saving).status()).toBe(200);
    const [row] = await server.db.query(
      'select time_zone, low_serials_threshold, reminder_cents from users where email = $1',
      [person.email],
    );
    expect(row).toEqual({ time_zone: 'America/New_York', low_serials_threshold: 25, reminder_cents: 1250 });
  });

  it('brands the redemption page, and puts it back', async () => {
    const person = await signUp(server);
    await handOver(page, person);
    await page.goto('/dashboard/settings/branding');
    await page.getByLabel('Brand color', { exact: true }).fill('#FFE600');
    await page.getByRole('button', { name: 'Save Branding' }).click();
    const confirm = page.getByRole('alertdialog');
    await expect(confirm.getByText('Are you sure you want to save these branding settings?')).toBeVisible();
    await confirm.getByRole('button', { name: 'Save' }).click();
    await expectToast(page, 'Branding saved successfully!');
    const [row] = await server.db.query<{ brand_color: string }>('select brand_color from users where email = $1', [
      person.email,
    ]);
    expect(row?.brand_color.toLowerCase()).toBe('#ffe600');
    await page.getByRole('button', { name: 'Reset to Default' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Reset' }).click();
    await expect.poll(() => page.getByLabel('Brand color', { exact: true }).inputValue()).toBe('#9a04bf');
  });

  it('registers a domain, and shows what is still missing', async () => {
    const person = await signUp(server);
    await server.db.query('update users set email_verified_at = now() where email = $1', [person.email]);
    await handOver(page, person);
    await page.goto('/developer/tools/branding');
    const domain = page.getByRole('textbox', { name: 'Domain' });
    await domain.fill('not a domain');
    await domain.press('Enter');
    await expect(page.getByText('Invalid domain format.').first()).toBeVisible();
    await domain.fill('app.row.example');
    await domain.press('Enter');
    await expect(page.getByText('Registered, awaiting verification').first()).toBeVisible();
    await page.getByRole('button', { name: 'Check Status' }).click();
    await expect(page.getByText('Domain not registered or not verified yet.').first()).toBeVisible();
  });

  it('goes anywhere from the keyboard, and finds a serial by pasting it', async () => {
    const shop = await createShop(server.url);
    await handOver(page, shop);
    await page.goto('/dashboard/customers');
    await expect(page.getByRole('heading', { name: 'Customers Hub' })).toBeVisible();
    await page.keyboard.press('Control+k');
    const search = page.getByRole('dialog').getByRole('combobox');
    await search.fill(String(shop.codes[0]).toLowerCase().replaceAll('-', ' '));
    await expect(page.getByRole('option', { name: new RegExp(shop.codes[0] as string) }).first()).toBeVisible();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard/serials/*');
    await expect(search).toBeHidden();
    await page.keyboard.press('Control+k');
    await search.fill('analytics');
    await expect(page.getByRole('option', { name: /Analytics/ }).first()).toBeVisible();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard/analytics');
  });

  it('shows a redemption that happens elsewhere', async () => {
    const shop = await createShop(server.url);
    await handOver(page, shop);
    await openLive(page, '/dashboard/serials');
    await expect(page.getByText('mara@example.com').locator('visible=true').first()).toBeVisible();
    await redeem(server.url, shop.codes[1] ?? '', 'live@example.com');
    const row = page.getByText('live@example.com').locator('visible=true');
    await expect(row.or(page.getByText(/new redemption/i)).first()).toBeVisible();
  });
});
