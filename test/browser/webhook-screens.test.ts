import type { Page, Request } from '@playwright/test';
import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { call, type Person, signUpVerified } from '@tonerow/test-support/http.ts';
import { type Receiver, startReceiver } from '@tonerow/test-support/receiver.ts';
import { startServer } from '@tonerow/test-support/server.ts';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  DARK_PHONE,
  expectAccessible,
  expectNoSidewaysScroll,
  expectToast,
  handOver,
  screenshot,
  setLook,
} from './dashboard.ts';

/** About as long as an address may be. */
const longUrl = (url: string) => `${url}/${'abcdefghij'.repeat(188)}`;

describe('the screens of webhooks', { timeout: 90_000 }, () => {
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

  const make = async (person: Person, body: object = {}) =>
    (
      await call(server, 'POST', '/api/webhooks', {
        token: person.token,
        body: { url: receiver.url, events: ['*'], ...body },
      })
    ).body.webhook.id as string;
  const send = (person: Person, id: string) =>
    call(server, 'POST', `/api/webhooks/${id}/test`, { token: person.token, body: { type: 'serial.redeemed' } });

  /**
   * Each box of the dialog must be within the screen, on phones and on a tablet, apart from what scrolls inside a box of
   * its own.
   */
  async function expectWithinScreen(role: 'dialog' | 'alertdialog', name: string) {
    const dialog = page.getByRole(role);
    for (const width of [768, 390, 320]) {
      await page.setViewportSize({ width, height: 844 });
      for (const box of [dialog, ...(await dialog.getByRole('button').all())]) {
        const [place, words] = [await box.boundingBox(), `${await box.textContent()}, ${width} wide`];
        const right = (place?.x ?? 0) + (place?.width ?? 0);
        expect(place?.x, words).toBeGreaterThanOrEqual(0);
        expect(place?.y, words).toBeGreaterThanOrEqual(role === 'alertdialog' ? 0 : Number.NEGATIVE_INFINITY);
        expect(right, words).toBeLessThanOrEqual(width);
      }
    }
    await screenshot(page, `webhooks ${name} 320`);
  }

  it('dialogs stay on the screen, however narrow', async () => {
    const ada = await signUpVerified(server);
    await handOver(page, ada);
    await page.goto('/developer/tools/webhooks');
    await page.getByRole('button', { name: 'Add webhook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address', { exact: true }).fill(longUrl(receiver.url));
    await expectWithinScreen('dialog', 'add');
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    await expect(dialog.getByText('it is never shown again')).toBeVisible();
    await expectWithinScreen('dialog', 'secret');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('main').getByText('All events')).toBeVisible();
    await expectNoSidewaysScroll(page);
    await page.getByRole('main').getByRole('listitem').getByRole('link').first().click();
    await expect(page.getByRole('heading', { name: 'Deliveries' })).toBeVisible();
    await expectNoSidewaysScroll(page);
    await screenshot(page, 'webhooks long-webhook 320');
    const more = page.getByRole('button', { name: 'More for this webhook' });
    await more.click();
    await page.getByRole('button', { name: 'Rotate the secret' }).click();
    await dialog.getByRole('button', { name: 'Rotate', exact: true }).click();
    await expect(dialog.getByText('it is never shown again')).toBeVisible();
    await expectWithinScreen('dialog', 'rotated');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(dialog).toBeHidden();
    await more.click();
    await page.getByRole('button', { name: 'Delete' }).click();
    const question = page.getByRole('alertdialog');
    await expect(question).toBeVisible();
    await expectWithinScreen('alertdialog', 'delete');
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  it('a webhook’s page keeps labels, values and the week apart at every width', async () => {
    const ada = await signUpVerified(server);
    const id = await make(ada);
    receiver.answer = 503;
    await send(ada, id);
    await receiver.wait(1);
    receiver.answer = 204;
    await handOver(page, ada);
    await page.goto(`/developer/tools/webhooks/${id}`);
    await expect(page.getByText('Left out')).toBeVisible();
    await page.evaluate(() => document.fonts.ready);
    for (const width of [320, 390, 640, 768, 800, 1024, 1280]) {
      await page.setViewportSize({ width, height: 860 });
      await expectNoSidewaysScroll(page);
      const torn = await page.locator('main dl > div').evaluateAll((rows) =>
        rows.flatMap((row) => {
          const [label, value] = [row.querySelector('dt'), row.querySelector('dd')];
          const within = row.getBoundingClientRect();
          const narrow = (value?.getBoundingClientRect().width ?? 0) < 40 && (value?.textContent ?? '').length > 5;
          const over = [...row.querySelectorAll('*')].some(
            (each) => each.getBoundingClientRect().right > within.right + 1 && !each.closest('.sr-only'),
          );
          return narrow || over ? [label?.textContent] : [];
        }),
      );
      expect(torn, `${width} wide`).toEqual([]);
      if ([320, 800].includes(width)) await screenshot(page, `webhooks facts light-${width}`);
    }
  });

  it('the list of deliveries reads the outcome of what it shows as waiting', async () => {
    const ada = await signUpVerified(server);
    const id = await make(ada);
    const released = Promise.withResolvers<void>();
    // also a second attempt, after a first one that was held for longer than the server waits
    receiver.answer = (response) => void released.promise.then(() => response.writeHead(204).end());
    await handOver(page, ada);
    await send(ada, id);
    await page.goto(`/developer/tools/webhooks/${id}`);
    const table = page.getByRole('table', { name: 'Deliveries of this webhook' });
    await expect(table.getByText('Waiting')).toBeVisible();
    await receiver.wait(1);
    released.resolve();
    await expect(table.getByText('Delivered')).toBeVisible();
    // slow, if this page took more than five seconds to show it as waiting
    await expect(page.locator('dd', { hasText: /Working|Slow/ })).toHaveCount(1);
  });

  it('an address with an event that there is not shows all; a double click sends one test, and a delivery again once', async () => {
    const ada = await signUpVerified(server);
    const id = await make(ada);
    const [deliveryId] = (await send(ada, id)).body.delivery_ids;
    await handOver(page, ada);
    const posts: string[] = [];
    const note = (request: Request) => {
      if (request.method() === 'POST') posts.push(new URL(request.url()).pathname);
    };
    page.on('request', note);
    await page.goto(`/developer/tools/webhooks/${id}?type=nope`);
    await expect(page.getByRole('link', { name: 'serial.redeemed' }).locator('visible=true').first()).toBeVisible();
    await page.getByRole('button', { name: 'Send test' }).dblclick();
    await expectToast(page, 'The test arrived.');
    expect(posts.filter((path) => path.endsWith('/test'))).toHaveLength(1);
    await page.goto(`/developer/tools/webhooks/${id}/${deliveryId}`);
    await page.getByRole('button', { name: 'Send again' }).dblclick({ delay: 30 });
    await expect(page.getByText('Attempt 2', { exact: true })).toBeVisible();
    expect(posts.filter((path) => path.endsWith('/retry'))).toHaveLength(1);
    page.off('request', note);
  });

  it('a delivery of a webhook that is off shows why it cannot be sent again', async () => {
    const ada = await signUpVerified(server);
    const id = await make(ada);
    const [deliveryId] = (await send(ada, id)).body.delivery_ids;
    await call(server, 'PATCH', `/api/webhooks/${id}`, { token: ada.token, body: { enabled: false } });
    await handOver(page, ada);
    await page.goto(`/developer/tools/webhooks/${id}/${deliveryId}`);
    await expect(
      page.getByRole('main').getByText('The webhook is off. Switch it on to send this again.'),
    ).toBeVisible();
    expect(await page.getByRole('button', { name: 'Send again' }).isDisabled()).toBe(true);
    await expectNoSidewaysScroll(page);
    await setLook(page, DARK_PHONE);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await screenshot(page, 'webhooks off-delivery dark-390');
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  it('what was typed is not lost without a question, and a secret is closed on purpose only', async () => {
    const ada = await signUpVerified(server);
    await handOver(page, ada);
    await page.goto('/developer/tools/webhooks');
    const add = page.getByRole('main').getByRole('button', { name: 'Add webhook' });
    const dialog = page.getByRole('dialog');
    const question = page.getByRole('alertdialog');
    // nothing typed, nothing asked
    await add.click();
    await expect(dialog.getByLabel('Address', { exact: true })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await add.click();
    const address = dialog.getByLabel('Address', { exact: true });
    await address.fill(receiver.url);
    await page.keyboard.press('Escape');
    await expect(question.getByText('Close without saving?')).toBeVisible();
    await screenshot(page, 'webhooks unsaved light-1280');
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await expect(question).toBeHidden();
    expect(await address.inputValue()).toBe(receiver.url);
    await page.mouse.click(5, 5);
    await question.getByRole('button', { name: 'Discard changes' }).click();
    await expect(dialog).toBeHidden();
    await add.click();
    expect(await address.inputValue()).toBe('');
    await address.fill(receiver.url);
    // it stays while it is saved
    let send = () => {};
    const sent = new Promise<void>((resolve) => {
      send = resolve;
    });
    await page.route('**/api/webhooks', async (route) => {
      if (route.request().method() === 'POST') await sent;
      await route.continue();
    });
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await expect(question).toBeHidden();
    await expect(dialog.getByText('Working')).toBeAttached();
    send();
    await expect(dialog.getByText('it is never shown again')).toBeVisible();
    await expect(question).toBeHidden();
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await page.keyboard.press('Escape');
    expect(await dialog.getByText('it is never shown again').isVisible()).toBe(true);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(dialog).toBeHidden();
    await page.unrouteAll();
  });

  it('a webhook shows that it is gone, and how to go on', async () => {
    const ada = await signUpVerified(server);
    const id = await make(ada);
    receiver.answer = 410;
    const [deliveryId] = (await send(ada, id)).body.delivery_ids;
    await handOver(page, ada);
    await page.goto(`/developer/tools/webhooks/${id}/${deliveryId}`);
    await expect(page.getByText('Failed', { exact: true }).first()).toBeVisible();
    receiver.answer = 204;
    const main = page.getByRole('main');
    expect(await main.textContent()).not.toContain('All ten attempts failed');
    await expect(main.getByText(/answered 410 Gone/).first()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Send again' })).toBeDisabled();
    await page.getByRole('link', { name: 'Webhook' }).click();
    await expect(main.getByText(/410 Gone.*switch it on/i).first()).toBeVisible();
  });

  it('one event of a family can be left out, and going back to a secret points to rotating it', async () => {
    const ada = await signUpVerified(server);
    const id = await make(ada, { events: ['serial.*'], signature: 'v1a' });
    await handOver(page, ada);
    await page.goto(`/developer/tools/webhooks/${id}`);
    await page.getByRole('button', { name: 'More for this webhook' }).click();
    await page.getByRole('button', { name: 'Change' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Signature').selectOption('v1: HMAC-SHA256');
    await expect(
      dialog.getByText('To see one that your receiver can verify with, rotate it after this.'),
    ).toBeVisible();
    await dialog.getByLabel('serial.redeemed').uncheck();
    await screenshot(page, 'webhooks family light-1280');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toBeHidden();
    const { body } = await call(server, 'GET', `/api/webhooks/${id}`, { token: ada.token });
    expect(body.events).toContain('serial.revoked');
    expect(body.events).not.toContain('serial.redeemed');
    expect(body.events).not.toContain('serial.*');
  });
});
