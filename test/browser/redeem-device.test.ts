import type { Page } from '@playwright/test';
import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { beforeAll, expect, it } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll, screenshot } from './dashboard.ts';

const { server, newPage } = browserSuite();
let ada: Person;
let product: { id: string };
let key: string;

beforeAll(async () => {
  ada = await signUp(server);
  product = await makeProduct(server, ada.token, { name: 'Prism Delay', max_activations: 1 });
  key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body.plaintext;
});

const plugin = (verb: string, body: object) => call(server, 'POST', `/api/license/v1/${verb}`, { token: key, body });
const start = async (machine_id: string) =>
  (await plugin('device', { product_id: product.id, machine_id, label: 'Studio Mac', os: 'macOS 26.1' })).body;
const answerFor = async (machine_id: string, { device_code }: { device_code: string }) =>
  (await plugin('device/token', { device_code, machine_id })).body;
const pageOf = (width: number) => newPage({ viewport: { width, height: 844 }, locale: 'en-US' });
const look = async (page: Page, name: string) => {
  await screenshot(page, `redeem-device-${name}`);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
};

it('a customer confirms a plugin by the link from the email, and makes room for its computer', async () => {
  const email = `nina-${Date.now()}@example.com`;
  const [made] = await makeSerials(server, ada.token, product.id, { quantity: 1 });
  const code = made?.code as string;
  await redeem(server, code, email, ada.id);
  await plugin('activate', { license_key: code, machine_id: 'OLD-LAPTOP' });
  const begun = await start('STUDIO-MAC');

  const page = await pageOf(390);
  await page.goto(begun.verification_uri_complete);
  await expect(page.getByRole('heading', { name: 'Activate Prism Delay?' })).toBeVisible();
  await expect(page.getByText(begun.user_code)).toBeVisible();
  await expect(page.getByText('Studio Mac · macOS 26.1')).toBeVisible();
  expect(page.url()).not.toContain(begun.user_code);
  await look(page, 'asks');
  await page.getByRole('button', { name: 'Get a link by email' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByText('Open the link in this browser')).toBeVisible();
  const message = await server.email(
    (each) => (each.to ?? []).some((to) => to.address === email) && /open=/.test(each.text ?? ''),
  );
  await page.goto(`${server.url}/redeem?dev=${ada.id}&open=${message.text?.match(/open=([\w.-]+)/)?.[1]}`);
  await expect(page.getByText('All seats of this serial are in use. Release a computer')).toBeVisible();
  await look(page, 'full');
  await page.getByRole('button', { name: 'Release this seat OLD-LAPTOP' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Release this seat' }).click();
  await expect(page.getByText('Seats in use: 0 of 1')).toBeVisible();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('heading', { name: 'Done' })).toBeVisible();
  await expect(page.getByText('Go back to your plugin.')).toBeVisible();
  await look(page, 'done');
  expect(await answerFor('STUDIO-MAC', begun)).toMatchObject({ status: 'active', license_key: code });
});

it('a customer types the code, redeems a serial right there and confirms, or denies what is not theirs', async () => {
  const [made] = await makeSerials(server, ada.token, product.id, { quantity: 1 });
  const begun = await start('NEW-PC');
  const page = await pageOf(1280);
  await page.goto(begun.verification_uri);
  await page.getByLabel('Code').fill('bcdf bcdf');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('No plugin is waiting with this code.')).toBeVisible();
  await look(page, 'unknown');
  await page.getByLabel('Code').fill(begun.user_code.toLowerCase());
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Enter a serial' }).click();
  await page.getByLabel('Serial').fill(made?.code as string);
  await page.getByLabel('Email').fill(`new-${Date.now()}@example.com`);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('First name').fill('Nina');
  await page.getByLabel('Last name').fill('Simone');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByRole('heading', { name: 'Activate Prism Delay?' })).toBeVisible();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('heading', { name: 'Done' })).toBeVisible();
  expect((await answerFor('NEW-PC', begun)).status).toBe('active');

  const strange = await start('SOMEBODY-ELSE');
  await page.goto(`${server.url}/redeem?dev=${ada.id}`);
  await page.goto(strange.verification_uri_complete);
  await page.getByRole('button', { name: 'Deny' }).click();
  await expect(page.getByRole('heading', { name: 'Denied' })).toBeVisible();
  expect((await answerFor('SOMEBODY-ELSE', strange)).status).toBe('denied');
});
