import type { Page } from '@playwright/test';
import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { call, signUp, signUpVerified, verifyEmail } from '@tonerow/test-support/http.ts';
import { openTerminal } from '@tonerow/test-support/terminal.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  breakCalls,
  createPlugin,
  createShop,
  expectGoodLooks,
  openLive,
  post,
  redeem,
  savedBy,
  screenshot,
  setLook,
} from './dashboard.ts';

describe('the pages of things', { timeout: 120_000 }, () => {
  const { server, openPage } = browserSuite();
  let shop: Awaited<ReturnType<typeof createShop>>;
  let page: Page;

  beforeAll(async () => {
    shop = await createShop(server.url);
    const scarce = await post<{ id: string }>(server.url, '/api/products', { name: 'Scarce Synth' }, shop.token);
    const { serials } = await post<{ serials: { code: string }[] }>(
      server.url,
      '/api/serials/generate',
      { product_id: scarce.id, quantity: 1 },
      shop.token,
    );
    await redeem(server.url, serials[0]?.code ?? '', 'nina@example.com');
    const ask = await createPlugin(server.url, shop.token);
    await ask('activate', { license_key: shop.codes[0], machine_id: 'STUDIO-MAC', version: '2.1.0' });
    await ask('validate', { license_key: shop.codes[1], machine_id: 'STUDIO-PC', version: '2.0.0' });
    page = await openPage({ as: shop });
  }, 120_000);

  /** Looks at a page in each theme and width: no violation, no sideways scrolling, and an image to look at. */
  const look = async (path: string, name: string, ready: string) => {
    await page.goto(path);
    await expect(page.getByText(ready).filter({ visible: true }).first()).toBeVisible();
    await expectGoodLooks(page, name);
    await setLook(page, ['light', 1280]);
  };

  it('opens a product with what it sold, has left and was refused, and its editor is the next tab', async () => {
    await page.goto('/products/edit');
    await page.getByRole('link', { name: 'Prism Delay', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Prism Delay' })).toBeVisible();
    await expect(page.getByText('1 more than yesterday')).toBeVisible();
    await expect(page.getByText('14 serials', { exact: true })).toBeVisible();
    await expect(page.getByText('Lasts 420 days at this pace')).toBeVisible();
    await expect(page.getByText('1 machine active in the last 30 days, 1 with a seat')).toBeVisible();
    await expect(page.getByText('Of a plugin')).toBeVisible();
    await expect
      .poll(
        async () => {
          await page.reload();
          await expect(page.getByRole('heading', { name: 'Refusals' })).toBeVisible();
          return page.getByText('Email required').or(page.getByText('Not activated')).count();
        },
        { timeout: 30_000 },
      )
      .toBe(1);
    const tabs = page.getByRole('navigation', { name: 'Product', exact: true });
    await tabs.getByRole('link', { name: 'Edit' }).click();
    await expect(page.getByRole('button', { name: 'Save Changes' })).toBeVisible();
    expect(new URL(page.url()).pathname).toBe(`/products/edit/${shop.productId}`);
    await tabs.getByRole('link', { name: 'Overview' }).click();
    await expect(page.getByRole('heading', { name: 'Sales and stock' })).toBeVisible();
    await page.goto('/dashboard/products/cut-off');
    await expect(page.getByRole('heading', { name: 'Product not found' })).toBeVisible();
    await look(`/dashboard/products/${shop.productId}`, 'product-overview', 'Sales and stock');
  });

  it('records the files of a product as versions, and gives customers an older one again', async () => {
    const product = await post<{ id: string }>(
      server.url,
      '/api/products',
      { name: 'Versioned Verb', file_urls: [{ name: 'Verb 1', url: 'https://files.example.com/verb-1.pkg' }] },
      shop.token,
    );
    const path = `/dashboard/products/${product.id}`;
    await page.goto(path);
    const versions = page.getByRole('region', { name: 'File versions' });
    await expect(versions.getByText('No versions yet')).toBeVisible();
    await versions.getByRole('button', { name: 'Record version' }).click();
    await expect(versions.getByText('Enter a version.')).toBeVisible();
    await versions.getByRole('textbox', { name: 'Version' }).fill('1.0');
    await versions.getByRole('button', { name: 'Record version' }).click();
    await expect(versions.getByRole('listitem').filter({ hasText: '1.0' }).getByText('Current')).toBeVisible();
    const changed = await fetch(`${server.url}/api/products/${product.id}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${shop.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ file_urls: [{ name: 'Verb 2', url: 'https://files.example.com/verb-2.pkg' }] }),
    });
    expect(changed.status).toBe(200);
    await page.reload();
    await versions.getByRole('textbox', { name: 'Version' }).fill('2.0');
    await versions.getByRole('textbox', { name: 'What is new' }).fill('Longer tails.');
    await versions.getByRole('button', { name: 'Record version' }).click();
    await expect(versions.getByRole('listitem').filter({ hasText: '2.0' }).getByText('Current')).toBeVisible();
    await expect(versions.getByText('Longer tails.')).toBeVisible();
    await expect(versions.getByText('Verb 2 (macOS)')).toBeVisible();
    await versions.getByRole('button', { name: 'Make current: version 1.0' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Make current' }).click();
    await expect(versions.getByRole('listitem').filter({ hasText: '1.0' }).getByText('Current')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Files' }).getByText('Verb 1')).toBeVisible();
    await look(path, 'product-versions', '2.0');
  });

  it('emails the owners about the current version, with their number in the question', async () => {
    await verifyEmail(server, shop);
    const product = await post<{ id: string }>(
      server.url,
      '/api/products',
      { name: 'News Verb', file_urls: [{ name: 'Verb', url: 'https://files.example.com/verb.pkg' }] },
      shop.token,
    );
    const path = `/api/products/${product.id}/file-versions`;
    await post(server.url, path, { name: '3.0' }, shop.token);
    const { serials } = await post<{ serials: { code: string }[] }>(
      server.url,
      '/api/serials/generate',
      { product_id: product.id, quantity: 1 },
      shop.token,
    );
    await page.goto(`/dashboard/products/${product.id}`);
    const versions = page.getByRole('region', { name: 'File versions' });
    const ask = versions.getByRole('button', { name: 'Email owners about version 3.0' });
    const dialog = page.getByRole('dialog');
    await ask.click();
    await expect(dialog.getByText('Nobody would get it.')).toBeVisible();
    expect(await dialog.getByRole('button', { name: 'Email owners' }).isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await redeem(server.url, serials[0]?.code ?? '', 'owner@example.com');
    await server.db.query("update customers set proven_at = now() where email = 'owner@example.com'");
    await ask.click();
    await expect(dialog.getByRole('heading', { name: 'Email 1 owner about version 3.0?' })).toBeVisible();
    await screenshot(page, 'email-owners.light-1280');
    await dialog.getByLabel('What is new').fill('Presets load twice as fast.');
    await page.route('**/announce', (route) =>
      route.fulfill({ status: 500, json: { code: 'internal', message: 'Broken.' } }),
    );
    await dialog.getByRole('button', { name: 'Email 1 owner' }).click();
    await expect(dialog.getByText('Broken.').or(dialog.getByRole('alert')).first()).toBeVisible();
    await page.unroute('**/announce');
    await dialog.getByRole('button', { name: 'Email 1 owner' }).click();
    await expect(versions.getByText(/^1 owner emailed on /)).toBeVisible();
    expect(await ask.count()).toBe(0);
    const message = await server.email(
      (each) => each.to?.[0]?.address === 'owner@example.com' && /3\.0/.test(each.subject ?? ''),
    );
    expect(message.text).toContain('Presets load twice as fast.');
    await look(`/dashboard/products/${product.id}`, 'product-emailed', '1 owner emailed');

    // the customer stops such emails, and the developer sees it
    const email = await openPage();
    const stop = /Unsubscribe: (\S+)/.exec(message.text ?? '')?.[1] as string;
    await email.setContent(message.html ?? '');
    await screenshot(email, 'new-version-email.light-1280');
    await email.goto(stop);
    await email.getByRole('button', { name: 'Unsubscribe' }).click();
    await expect(email.getByRole('button', { name: 'Send them again' })).toBeVisible();
    await screenshot(email, 'customer-unsubscribed.light-1280');
    const [owner] = await server.db.query<{ id: string }>(
      "select id from customers where developer_id = $1 and email = 'owner@example.com'",
      [shop.id],
    );
    await email.context().close();
    await look(
      `/dashboard/customers/${owner?.id}`,
      'customer-no-updates',
      'Unsubscribed from emails about new versions',
    );
  });

  it('explains that a product cannot be loaded, and loads it on Retry', async () => {
    const mend = await breakCalls(page, `**/api/products/${shop.productId}/overview`, {
      status: 500,
      json: { code: 'internal', message: 'Broken.' },
    });
    await page.goto(`/dashboard/products/${shop.productId}`);
    await expect(page.getByRole('heading', { name: "This product couldn't be loaded" })).toBeVisible();
    await mend();
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Prism Delay' })).toBeVisible();
    await page.unrouteAll();
  });

  it('follows a batch from generated to activated, and from its page to one of its serials', async () => {
    await page.goto(`/dashboard/batches/${shop.batchId}`);
    const stages = page.getByRole('table', { name: 'Stages' });
    await expect(stages.getByRole('row', { name: /Generated.*12.*100%/ })).toBeVisible();
    await expect(stages.getByRole('row', { name: /Redeemed.*1.*8\.3%/ })).toBeVisible();
    await expect(stages.getByRole('row', { name: /Activated.*1.*8\.3%.*100%/ })).toBeVisible();
    const serials = page.getByRole('table', { name: 'Serials of this batch' });
    await serials
      .getByRole('row', { name: /Redeemed/ })
      .nth(1)
      .getByRole('link')
      .click();
    await page.waitForURL(/\/dashboard\/serials\/[0-9a-f-]{36}$/);
    await look(`/dashboard/batches/${shop.batchId}`, 'batch-page', 'From code to active plugin');
  });

  it('finds an email that a customer was sent from their page, and what is left by a filter', async () => {
    await page.goto(`/dashboard/customers/${shop.customerId}`);
    await page.getByRole('link', { name: 'Emails', exact: true }).click();
    await expect(page.getByRole('row', { name: /Redemption.*mara@example\.com/ })).toBeVisible();
    expect(new URL(page.url()).searchParams.get('to')).toBe('mara@example.com');
    await page.getByLabel('State').selectOption('failed');
    await expect(page.getByRole('heading', { name: 'No emails found' })).toBeVisible();
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await expect(page.getByRole('row', { name: /mara@example\.com/ })).toBeVisible();
    await look('/dashboard/customers/emails', 'email-log', 'mara@example.com');
  });

  it('lists who did what in the account, keeps only one action, and saves what is left', async () => {
    await page.goto('/dashboard/settings');
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Audit log' }).click();
    const table = page.getByRole('table', { name: 'Audit log' });
    await expect(table.getByRole('row', { name: /Signed in.*Password/ })).toBeVisible();
    await page.getByLabel('Action').selectOption('Plugin key created');
    await expect(table.getByRole('row', { name: /Plugin key created/ })).toHaveCount(2);
    await expect(table.getByRole('row', { name: /Signed in/ })).toHaveCount(0);
    expect((await savedBy(page.getByRole('button', { name: 'Export CSV' }))).name).toBe('audit_log.csv');
    await page.getByLabel('Action').selectOption('Webhook deleted');
    await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible();
    await look('/dashboard/settings/audit-log', 'audit-log', 'Plugin key created');
  });

  it('lists what a script was answered and refused, keeps what was refused, and saves it', async () => {
    const { token } = await post<{ token: string }>(
      server.url,
      '/api/account/tokens',
      { name: 'Nightly CI', scopes: ['serials:read'] },
      shop.token,
    );
    const ask = (path: string) => fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    expect([(await ask('/api/serials')).status, (await ask('/api/customers/list')).status]).toEqual([200, 403]);
    await page.goto('/dashboard/settings');
    const table = page.getByRole('table', { name: 'Requests' });
    // lines are written once a second
    await expect
      .poll(
        async () => {
          await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Audit log' }).click();
          await expect(page.getByRole('table', { name: 'Audit log' })).toBeVisible();
          await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Requests' }).click();
          await expect(table).toBeVisible();
          return table.getByRole('row', { name: /GET \/api\/customers\/list.*403.*Nightly CI/ }).count();
        },
        { timeout: 30_000 },
      )
      .toBe(1);
    await expect(table.getByRole('row', { name: /GET \/api\/serials .*200.*Nightly CI.*127\.0\.0\.1/ })).toBeVisible();
    await expect(table.getByRole('row', { name: /license.*A plugin/ }).first()).toBeVisible();
    await page.getByLabel('Status').selectOption('Refused (4xx)');
    await page.getByLabel('Credential').selectOption('Token Nightly CI');
    await expect(table.getByRole('row')).toHaveCount(2);
    expect((await savedBy(page.getByRole('button', { name: 'Export CSV' }))).name).toBe('requests.csv');
    await page.getByLabel('Path').fill('/api/nothing-of-this');
    await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible();
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await expect(table.getByRole('row', { name: /A plugin/ }).first()).toBeVisible();
    await look('/dashboard/settings/requests', 'requests', 'A plugin');
  });

  it('gives resellers the audit log of their own account', async () => {
    const reseller = await signUp(server, 'reseller');
    const other = await openPage({ as: reseller });
    await other.goto('/reseller/settings');
    await other.getByRole('link', { name: 'Activity' }).click();
    await expect(other.getByRole('table', { name: 'Audit log' }).getByRole('row', { name: /Signed in/ })).toBeVisible();
    await other.goto('/reseller/requests');
    await expect(other.getByRole('heading', { name: 'No requests yet' })).toBeVisible();
  });

  it('lists all notices behind the bell, by kind, until they are marked as read', async () => {
    await page.goto('/dashboard/customers');
    await page.getByRole('button', { name: /^Notifications/ }).click();
    await page.getByRole('link', { name: 'See all' }).click();
    await page.waitForURL('**/dashboard/notifications');
    const notices = page.getByRole('list', { name: 'Notifications' });
    await expect(
      notices.getByRole('listitem').filter({ hasText: 'Scarce Synth is running low' }).getByText('Unread'),
    ).toBeVisible();
    await page.getByLabel('Kind').selectOption('Imports');
    await expect(page.getByRole('heading', { name: 'No notifications of this kind' })).toBeVisible();
    await page.getByRole('button', { name: 'Show all kinds' }).click();
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await expect(page.getByText('Nothing pending or unread')).toBeVisible();
    // notifications that were read stay under the bell
    await page.getByRole('button', { name: /^Notifications/ }).click();
    const recent = page.getByRole('list', { name: 'Recent' }).getByRole('listitem');
    await expect(recent.filter({ hasText: 'Scarce Synth is running low' })).toBeVisible();
    await expect(recent.getByText('Unread', { exact: true })).toHaveCount(0);
    await page.keyboard.press('Escape');
    await notices.getByRole('link', { name: 'Scarce Synth is running low' }).click();
    await page.waitForURL(/\/dashboard\/products\//);
    await look('/dashboard/notifications', 'notifications', 'Scarce Synth is running low');
  });

  it('counts the same in the same words on the bell, in the list and in the terminal, live', async () => {
    const terminal = await openTerminal(() => ({ TONEROW_URL: server.url, TONEROW_TOKEN: shop.token }));
    const [newest] = (await call(server, 'GET', '/api/notifications', { token: shop.token })).body.rows;
    if (newest) await post(server.url, '/api/notifications/read', { until: newest.id }, shop.token);
    await openLive(page, '/dashboard/notifications');
    const rare = await post<{ id: string }>(server.url, '/api/products', { name: 'Rare Reverb' }, shop.token);
    const { serials } = await post<{ serials: { code: string }[] }>(
      server.url,
      '/api/serials/generate',
      { product_id: rare.id, quantity: 1 },
      shop.token,
    );
    const bell = page.getByRole('button', { name: /^Notifications/ });
    const main = page.getByRole('main');
    /** Expects the same count in all three places. */
    const agree = async (words: string, badge: string) => {
      const name = words.startsWith(badge) ? words : `${badge}: ${words}`;
      await expect(page.getByRole('button', { name: `Notifications, ${name}`, exact: true })).toBeVisible();
      await expect(main.getByText(words, { exact: true })).toBeVisible();
      expect(await bell.textContent()).toBe(badge);
      expect((await terminal.tonerow('account', 'notifications', '--count')).out).toBe(`${words}\n`);
    };
    expect((await terminal.tonerow('account', 'notifications', '--count')).out).toBe('Nothing pending or unread\n');
    await redeem(server.url, serials[0]?.code ?? '', 'nina@example.com');
    await agree('1 unread', '1');
    const { id } = (await call(server, 'GET', '/api/auth/me', { token: shop.token })).body;
    await verifyEmail(server, { id });
    const rae = await signUpVerified(server, 'reseller');
    await post(server.url, '/api/reseller/invite-developer', { email: shop.email }, rae.token);
    await agree('1 pending, 1 unread', '2');
    await screenshot(page, 'notifications-pending');
    await setLook(page, ['dark', 390]);
    await screenshot(page, 'notifications-pending-dark-390');
    await setLook(page, ['light', 1280]);
    // in the list what is pending is answered as well
    await main.getByRole('list', { name: 'Pending invites' }).getByRole('button', { name: 'Reject' }).click();
    await agree('1 unread', '1');
    await bell.click();
    await screenshot(page, 'bell-unread');
    await page.getByRole('button', { name: 'Mark all as read' }).first().click();
    await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
    await expect(main.getByText('Nothing pending or unread')).toBeVisible();
    await terminal.close();
  });
});
