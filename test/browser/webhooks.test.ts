import type { Page } from '@playwright/test';
import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { call, type Person, signUpVerified } from '@tonerow/test-support/http.ts';
import { type Received, type Receiver, startReceiver, verifyWith } from '@tonerow/test-support/receiver.ts';
import { startServer } from '@tonerow/test-support/server.ts';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { breakCalls, expectAccessible, expectGoodLooks, expectToast, handOver, screenshot } from './dashboard.ts';

describe('webhooks', { timeout: 60_000 }, () => {
  const { server, openPage } = browserSuite(() =>
    startServer({ web: true, env: { TONEROW_WEBHOOK_ALLOW: '127.0.0.0/8' } }),
  );
  let receiver: Receiver;
  let page: Page;

  beforeAll(async () => {
    page = await openPage();
    await page.goto('/login');
  });

  // one for each test: what an earlier test left to be tried again must not come to this one
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(() => receiver.stop());

  const make = async (person: Person) =>
    (
      await call(server, 'POST', '/api/webhooks', {
        token: person.token,
        body: { url: receiver.url, events: ['serial.*'], description: 'Shop' },
      })
    ).body.webhook.id as string;

  it('a webhook is added, shows its secret once and takes a test that verifies with it', async () => {
    const ada = await signUpVerified(server);
    await handOver(page, ada);
    await page.goto('/developer/tools');
    await page.getByRole('link', { name: /Webhooks/ }).click();
    await expect(page.getByText('No webhooks yet')).toBeVisible();
    await expectAccessible(page);
    await screenshot(page, 'webhooks empty light-1280');
    await page.getByRole('button', { name: 'Add webhook' }).click();
    const dialog = page.getByRole('dialog');
    // with two mistakes, it shows both
    await dialog.getByLabel('Address', { exact: true }).fill('ftp://shop.example.com');
    await dialog.getByLabel('All events').uncheck();
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    await expect(dialog.getByText('Choose at least one event.')).toBeVisible();
    expect(await dialog.getByLabel('Address', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    await expectAccessible(page);
    await screenshot(page, 'webhooks mistakes light-1280');
    await dialog.getByLabel('Address', { exact: true }).fill(receiver.url);
    await dialog.getByLabel('serial.redeemed').check();
    await screenshot(page, 'webhooks form light-1280');
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    await expect(dialog.getByText('it is never shown again')).toBeVisible();
    const secret = (await dialog.locator('code').first().textContent()) ?? '';
    expect(secret).toMatch(/^whsec_/);
    await expect
      .poll(() => dialog.getByRole('region', { name: 'Verify in JavaScript' }).textContent())
      .toContain(secret);
    await screenshot(page, 'webhooks secret light-1280');
    await dialog.getByRole('button', { name: 'Send test' }).click();
    await expectToast(page, 'The test arrived.');
    expect(verifyWith(secret, receiver.received.at(-1) as Received)).toMatchObject({ type: 'webhook.test' });
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('main').getByText('serial.redeemed')).toBeVisible();
    await expect(page.getByText(secret)).toHaveCount(0);
  });

  it('a delivery that failed shows its answer and its next attempt, and can be sent again', async () => {
    const ada = await signUpVerified(server);
    const id = await make(ada);
    receiver.answer = 503;
    await call(server, 'POST', `/api/webhooks/${id}/test`, { token: ada.token, body: { type: 'serial.redeemed' } });
    await handOver(page, ada);
    await page.goto(`/developer/tools/webhooks/${id}`);
    await expect(page.getByText('HTTP 503').locator('visible=true').first()).toBeVisible();
    await page.getByRole('link', { name: 'serial.redeemed' }).locator('visible=true').first().click();
    await expect(page.getByRole('heading', { name: 'Attempts' })).toBeVisible();
    await expect(page.getByText('Attempt 1', { exact: true })).toBeVisible();
    await expect(page.getByText('webhook-signature', { exact: false }).first()).toBeVisible();
    receiver.answer = 200;
    await page.getByRole('button', { name: 'Send again' }).click();
    await expect(page.getByText('HTTP 200').locator('visible=true').first()).toBeVisible();
  });

  it('look as the rest does, on a phone in the dark too', async () => {
    const ada = await signUpVerified(server);
    const id = await make(ada);
    receiver.answer = 500;
    const before = receiver.received.length;
    await handOver(page, ada);
    const sent = await call(server, 'POST', `/api/webhooks/${id}/test`, { token: ada.token, body: {} });
    await receiver.wait(before + 1);
    receiver.answer = 200;
    await call(server, 'POST', `/api/webhooks/${id}/test`, { token: ada.token, body: { type: 'serial.redeemed' } });
    const [deliveryId] = sent.body.delivery_ids;
    for (const [name, path, there] of [
      ['list', '', 'Shop'],
      ['endpoint', `/${id}`, 'Deliveries'],
      ['delivery', `/${id}/${deliveryId}`, 'Attempts'],
    ] as const) {
      await page.goto(`/developer/tools/webhooks${path}`);
      await expect(page.getByText(there, { exact: true }).locator('visible=true').first()).toBeVisible();
      await expectGoodLooks(page, `webhooks ${name}`);
    }
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  it('a reseller pauses a webhook of its own, replays what was skipped, and deletes it', async () => {
    const rae = await signUpVerified(server, 'reseller');
    await make(rae);
    receiver.answer = 200;
    await handOver(page, rae);
    await page.goto('/reseller/webhooks');
    await page.getByRole('link', { name: 'Shop', exact: true }).click();
    await page.getByRole('button', { name: 'Pause' }).click();
    await expectToast(page, /^Paused/);
    const sent = await call(server, 'POST', '/api/webhook-events', {
      token: rae.token,
      body: { type: 'serial.redeemed' },
    });
    await page.reload();
    await expect(page.getByText('Skipped', { exact: true }).locator('visible=true').last()).toBeVisible();
    await page.getByRole('button', { name: 'Switch on' }).click();
    await expectToast(page, 'Switched on.');
    await page.getByRole('button', { name: 'Replay 1 undelivered event' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
    await expectToast(page, /^1 event will be sent again/);
    const again = () => receiver.received.some(({ headers }) => headers['webhook-id'] === sent.body.event_id);
    await expect.poll(again, { timeout: 15_000 }).toBe(true);
    // the screen that asked for it shows it
    await expect(page.getByRole('table', { name: 'Deliveries of this webhook' }).getByText('Delivered')).toBeVisible();
    await page.getByRole('button', { name: 'More for this webhook' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(/\/reseller\/webhooks$/);
    await expect(page.getByText('No webhooks yet')).toBeVisible();
  });

  it('a webhook of somebody else is not found, and a server that is away can be asked again', async () => {
    const [ada, other] = [await signUpVerified(server), await signUpVerified(server)];
    const id = await make(other);
    await handOver(page, ada);
    await page.goto(`/developer/tools/webhooks/${id}`);
    await expect(page.getByRole('heading', { name: 'Webhook not found' })).toBeVisible();
    const mend = await breakCalls(page, '**/api/webhooks');
    await page.goto('/developer/tools/webhooks');
    await expect(page.getByRole('heading', { name: "Webhooks couldn't be loaded" })).toBeVisible();
    await mend();
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByText('No webhooks yet')).toBeVisible();
  });
});
