import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { call, makeProduct, makeSerials, signUp } from '@tonerow/test-support/http.ts';
import { expect, it } from 'vitest';
import { openLive } from './dashboard.ts';

const YEAR = new Date().getFullYear() + 1;
const { server, openPage } = browserSuite();

it('a promo that has not begun is told to the musician with its date, seen by its developer, and begun at once', {
  timeout: 120_000,
}, async () => {
  const ada = await signUp(server);
  const product = await makeProduct(server, ada.token);
  const fields = { quantity: 1, promo_price: 9, promo_start: `${YEAR}-12-05` };
  const [serial] = (await makeSerials(server, ada.token, product.id, fields)) as [{ id: string; code: string }];
  const { batch_id } = (await call(server, 'GET', `/api/serials/${serial.id}`, { token: ada.token })).body;
  const desk = await openPage({ as: ada });
  await desk.goto('/dashboard/serials/generator');
  await expect(desk.getByText('Before this date, redemption is refused.')).toBeVisible();
  await openLive(desk, `/dashboard/serials/${serial.id}`);
  const state = desk.getByRole('region', { name: 'State' });
  await expect(state.getByText(`Can’t be redeemed before December 5, ${YEAR}`)).toBeVisible();

  const musician = await openPage();
  await musician.goto(`/redeem?dev=${ada.id}&serial=${serial.code}`);
  await musician.getByLabel('Email').fill('nina@example.com');
  await musician.getByRole('button', { name: 'Continue' }).click();
  await expect(musician.getByText(new RegExp(`can be redeemed from December 5, ${YEAR} at .* UTC`))).toBeVisible();

  // by the live event
  await expect(desk.getByText('Redemption refused: not yet valid')).toBeVisible();
  await state.getByRole('link', { name: 'Change the start' }).click();
  await desk.waitForURL(new RegExp(batch_id));
  const badge = desk.getByText(`Starts Dec 5, ${YEAR}`);
  await expect(badge).toBeVisible();
  await expect(desk.getByText('Not yet valid').locator('visible=true')).toBeVisible();
  await desk.getByRole('button', { name: 'Change dates' }).click();
  await desk.getByRole('dialog').getByLabel('Promo starts').fill('');
  await desk.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(desk.locator('[data-sonner-toast]').getByText('can be redeemed for good')).toBeVisible();
  await expect(badge).toHaveCount(0);
  await expect(desk.getByText('Available', { exact: true }).locator('visible=true')).toBeVisible();

  await musician.getByRole('button', { name: 'Continue' }).click();
  await expect(musician.getByLabel('First name')).toBeVisible();
});
