import type { Page } from '@playwright/test';
import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { call, makeProduct, signUpVerified, verifyEmail } from '@tonerow/test-support/http.ts';
import { connectPartners } from '@tonerow/test-support/partners.ts';
import { describe, expect, it } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll, savedBy, screenshot, setLook } from './dashboard.ts';

const [LA, BERLIN, TOKYO] = ['America/Los_Angeles', 'Europe/Berlin', 'Asia/Tokyo'];
const PASSWORD = 'a row of twelve notes';

describe('dates in a browser', { timeout: 180_000 }, () => {
  const { server, openPage } = browserSuite();

  let made = 0;
  /** Registers by the form in a browser of that zone, and verifies the address. */
  async function register(role: 'developer' | 'reseller', timezoneId: string) {
    made += 1;
    const email = `zones-${Date.now()}-${made}@example.com`;
    const page = await openPage({ timezoneId });
    await page.goto(role === 'developer' ? '/register' : '/reseller/register');
    await page.getByLabel('First name').fill('Ada');
    await page.getByLabel('Last name').fill('Berg');
    await page.getByLabel('Email', { exact: true }).fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    if (role === 'reseller') await page.getByLabel('Confirm password').fill(PASSWORD);
    await page.getByLabel('Company name').fill(role === 'developer' ? 'Lowpass Audio' : 'Plugin Shop');
    // the form shows the account's future time zone
    const zone = page.getByRole('combobox', { name: 'Time zone' });
    await expect.poll(() => zone.inputValue()).toBe(timezoneId.replaceAll('_', ' '));
    if (role === 'developer' && timezoneId === LA) {
      await expectAccessible(page);
      await screenshot(page, 'register-time-zone');
    }
    await page.getByRole('button', { name: 'Register' }).click();
    await page.waitForURL(role === 'developer' ? '**/dashboard/customers' : '**/reseller/dashboard');
    const login = await call(server, 'POST', '/api/auth/login', { body: { email, password: PASSWORD } });
    const person = { id: login.body.user.id as string, email, token: login.body.token as string };
    expect(login.body.user.time_zone).toBe(timezoneId);
    await verifyEmail(server, person);
    return { ...person, page };
  }

  const saved = async (page: Page, button: string | RegExp) => {
    return (await savedBy(page.getByRole('button', { name: button }).first())).text;
  };

  async function generate(page: Page, reseller?: string) {
    await page.goto('/dashboard/serials/generator');
    await page.getByRole('combobox', { name: 'Product' }).click();
    await page.getByRole('option', { name: /Prism Delay/ }).click();
    await page.getByLabel('Quantity').fill('2');
    await page.getByLabel('Promo price').fill('9');
    await page.getByLabel('Promo expires').fill('2099-12-05');
    await page.getByLabel('Expires At').fill('2099-12-31');
    if (reseller) await page.getByRole('combobox', { name: 'Reseller', exact: true }).selectOption({ label: reseller });
    await page.getByLabel('Batch tag').fill('Winter');
    await page.getByRole('button', { name: 'Generate 2 serials' }).click();
    await expect(page.getByRole('heading', { name: '2 serials generated' })).toBeVisible();
  }

  /** Reads the dates everywhere as the developer who entered 5 and 31 December. */
  async function readBack(page: Page, offset: string, token: string) {
    const csv = await saved(page, 'Download CSV');
    expect(csv).toContain(`2099-12-05T23:59:59.999${offset},,2099-12-31T23:59:59.999${offset}`);
    const batches = await call(server, 'GET', '/api/batches', { token });
    await page.goto(`/dashboard/batches/${batches.body.rows[0].id}`);
    const facts = page.getByRole('main');
    await expect(facts.getByText('Dec 5, 2099', { exact: true })).toBeVisible();
    await expect(facts.getByText('Dec 31, 2099', { exact: true })).toBeVisible();
    expect(await saved(page, 'Re-export')).toContain(`2099-12-05T23:59:59.999${offset}`);
    await page.getByRole('button', { name: 'Change dates' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText('Now: Dec 5, 2099. Empty: never.')).toBeVisible();
    await expect.poll(() => dialog.getByLabel('Promo expires').inputValue()).toBe('2099-12-05');
    await expect.poll(() => dialog.getByLabel('Serials expire').inputValue()).toBe('2099-12-31');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.goto('/dashboard/serials/available');
    await expect(page.getByText('redeem by Dec 31, 2099').first()).toBeVisible();
    await expect(page.getByText('promo expires Dec 5, 2099').first()).toBeVisible();
  }

  it('are those of the account, to a developer in Los Angeles and to a reseller in Tokyo', async () => {
    const ada = await register('developer', LA);
    const rae = await register('reseller', TOKYO);
    const [maker, shop] = [ada.page, rae.page];
    await connectPartners(server, ada, rae);
    await makeProduct(server, ada.token, { name: 'Prism Delay' });

    await generate(maker, 'Plugin Shop');
    await readBack(maker, '-08:00', ada.token);

    // the reseller reads the same days, and whose they are
    const told = await server.email(
      (email) => email.to?.[0]?.address === rae.email && /A new deal/.test(email.subject ?? ''),
    );
    for (const day of ['December 5, 2099', 'December 31, 2099'])
      expect(told.text).toContain(`${day} (Los Angeles time)`);
    await shop.goto('/reseller/my-deals');
    const deal = shop.getByRole('region', { name: 'Current deals' });
    await expect(deal.getByText('Until Dec 5, 2099 (Los Angeles time)')).toBeVisible();
    await expect(deal.getByText('Dec 31, 2099 (Los Angeles time)')).toBeVisible();
    await expectAccessible(shop);
    await screenshot(shop, 'deal-in-another-zone');
    await setLook(shop, ['dark', 390]);
    await expectNoSidewaysScroll(shop);
    await screenshot(shop, 'deal-in-another-zone-phone');
    await setLook(shop, ['light', 1280]);
    await deal.getByRole('link', { name: 'View Details' }).click();
    await expect(shop.getByText('promo expires Dec 5, 2099 (Los Angeles time)').first()).toBeVisible();
    // the file is on the shop's own clock, with its offset
    expect(await saved(shop, /Download/)).toContain('2099-12-06T16:59:59.999+09:00');

    // and the other way round
    await shop.getByRole('button', { name: 'Request a Deal' }).click();
    const asking = shop.getByRole('dialog');
    await asking.getByLabel('Price').fill('8');
    await asking.getByLabel('Quantity').fill('3');
    await asking.getByLabel('Promo starts').fill('2099-12-10');
    await asking.getByLabel('Promo expires').fill('2099-12-15');
    await asking.getByRole('button', { name: 'Send request' }).click();
    await expect(asking).toBeHidden();
    await shop.goto('/reseller/my-deals');
    const own = shop.getByRole('list', { name: 'Your requests' });
    await expect(own.getByText('Dec 10, 2099 – Dec 15, 2099', { exact: true })).toBeVisible();
    const asked = await server.email(
      (email) => email.to?.[0]?.address === ada.email && /requests a deal/.test(email.subject ?? ''),
    );
    for (const day of ['December 10, 2099', 'December 15, 2099']) expect(asked.text).toContain(`${day} (Tokyo time)`);
    await maker.goto('/dashboard/resellers');
    const requests = maker.getByRole('list', { name: 'Requests for deals' });
    await expect(requests.getByText('Dec 10, 2099 – Dec 15, 2099 (Tokyo time)')).toBeVisible();
    await screenshot(maker, 'request-from-another-zone');
    await requests.getByRole('link', { name: 'Accept' }).click();
    await expect(maker.getByText('Dates that you do not change stay as they were asked for.')).toBeVisible();
    await maker.getByRole('button', { name: 'Generate 3 serials' }).click();
    await expect(maker.getByRole('heading', { name: '3 serials generated' })).toBeVisible();
    // accepted as it was asked for
    await shop.reload();
    await expect(own.getByText('Accepted', { exact: true })).toBeVisible();
    await expect(own.getByText('Dec 10, 2099 – Dec 15, 2099', { exact: true })).toBeVisible();
  });

  it('stay in the account’s zone when its owner is elsewhere, and show that', async () => {
    const ada = await register('developer', BERLIN);
    await makeProduct(server, ada.token, { name: 'Prism Delay' });
    await generate(ada.page);
    await readBack(ada.page, '+01:00', ada.token);
    await ada.page.context().close();

    const away = await openPage({ as: ada, timezoneId: TOKYO });
    await away.goto('/dashboard/serials/available');
    await expect(away.getByText('promo expires Dec 5, 2099 (Berlin time)').first()).toBeVisible();
    await away.goto('/dashboard/serials/generator');
    await expect(
      away.getByText('Days begin and end in Berlin time, the time zone of your account.').first(),
    ).toBeVisible();
    await expectAccessible(away);
    await screenshot(away, 'generator-away');
  });

  it('can be moved to the zone of the browser by an account that never chose one, or left', async () => {
    const person = await signUpVerified(server);
    const page = await openPage({ as: person, timezoneId: BERLIN });
    await page.goto('/dashboard/customers');
    const banner = page.getByRole('region', { name: 'Time zone' });
    await expect(banner.getByText('Your dates are in UTC.')).toBeVisible();
    await expectAccessible(page);
    await screenshot(page, 'time-zone-offer');
    await setLook(page, ['dark', 390]);
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await screenshot(page, 'time-zone-offer-phone');
    await setLook(page, ['light', 1280]);
    await banner.getByRole('button', { name: 'Use Berlin time' }).click();
    await expect(banner).not.toBeAttached();
    await page.goto('/dashboard/settings');
    await expect.poll(() => page.getByRole('combobox', { name: 'Time zone' }).inputValue()).toBe('Europe/Berlin');
    await page.context().close();

    const other = await signUpVerified(server);
    const still = await openPage({ as: other, timezoneId: BERLIN });
    await still.goto('/dashboard/customers');
    await still.getByRole('region', { name: 'Time zone' }).getByRole('button', { name: 'Keep UTC' }).click();
    await still.reload();
    await expect(still.getByRole('heading', { name: 'Customers Hub' })).toBeVisible();
    expect(await still.getByRole('region', { name: 'Time zone' }).count()).toBe(0);
  });
});
