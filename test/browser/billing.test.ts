import type { Page } from '@playwright/test';
import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { makeProduct, makeSerials, type Person, redeem, signUpVerified } from '@tonerow/test-support/http.ts';
import { setPlan } from '@tonerow/test-support/plans.ts';
import { startServer } from '@tonerow/test-support/server.ts';
import { describe, expect, it } from 'vitest';
import { TestClock } from '../../packages/server/src/platform/clock.ts';
import { breakCalls, expectAccessible, expectGoodLooks, savedBy, screenshot } from './dashboard.ts';

describe('billing in a browser', { timeout: 120_000 }, () => {
  const clock = new TestClock('2026-03-20T12:00:00Z');
  const { server, openPage } = browserSuite(() => startServer({ web: true, overrides: { clock } }));

  // the screen's months and periods are those of the browser's clock
  const open = (as: Person) => openPage({ as, now: clock.now() });

  /** A developer on Creator with the quota used up, who sells two more; and one redemption a month before. */
  async function beyondQuota() {
    const ada = await signUpVerified(server);
    await setPlan(server.db, { plan: 'creator', accountId: ada.id, at: new Date('2026-02-03T12:00:00Z') });
    const product = await makeProduct(server, ada.token);
    const serials = await makeSerials(server, ada.token, product.id, { quantity: 2 });
    await server.db.query(
      `insert into usage_months (developer_id, month, redemptions, closed_at)
       values ($1, '2026-02-01', 7, '2026-03-01'), ($1, '2026-03-01', 100, null)`,
      [ada.id],
    );
    await server.db.query(
      `insert into usage_days (developer_id, day, redemptions) select $1, d, 10
       from generate_series(date '2026-03-06', date '2026-03-15', interval '1 day') d`,
      [ada.id],
    );
    for (const { code } of serials) await redeem(server, code, `${code}@example.com`, ada.id);
    return ada;
  }

  /** When what was to be drawn or said a moment later has been. */
  const framesLater = (page: Page) =>
    page.evaluate(async () => {
      for (let frame = 0; frame < 5; frame += 1) await new Promise(requestAnimationFrame);
    });

  const figure = (page: Page, name: string) => page.locator('dl > div').filter({ hasText: name }).locator('dd').first();

  it('leaves no error behind when a chart goes that is about to be drawn in another size', async () => {
    const page = await open(await beyondQuota());
    await page.goto('/dashboard/billing');
    const chart = page.getByRole('img', { name: /^Overage cost by day/ });
    const asTable = page.getByRole('button', { name: 'Show overage cost as table' });
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 860 });
      await chart.hover();
      // as when the window changes in the same moment: it is measured at once, and drawn a moment later
      await asTable.evaluate(async (button) => {
        const canvas = document.querySelector('canvas') as HTMLCanvasElement;
        const before = canvas.width;
        (canvas.parentElement as HTMLElement).style.width = '180px';
        while (canvas.width === before) await new Promise(requestAnimationFrame);
        (button as HTMLElement).click();
      });
      await expect(page.getByRole('row', { name: /Fri, Mar 20, 2026/ })).toBeVisible();
      await framesLater(page);
      await page.getByRole('button', { name: 'Show overage cost as chart' }).click();
    }
    await expect(chart).toBeVisible();
    await page.setViewportSize({ width: 1280, height: 860 });
    await page.getByRole('link', { name: 'Invoices' }).click();
    await expect(page.getByRole('heading', { name: 'No invoices yet' })).toBeVisible();
    // the suite fails with what is thrown by now
    await framesLater(page);
  });

  it('shows the month, any period and every month before, with the same sums', async () => {
    const ada = await beyondQuota();
    const page = await open(ada);
    await page.goto('/dashboard/billing');
    await expect(figure(page, 'Overage cost').filter({ hasText: '$0.100' })).toBeVisible();
    await expect.poll(() => figure(page, 'Used redemptions').textContent()).toBe('102');
    await expect.poll(() => figure(page, 'Overage redemptions').textContent()).toBe('2');
    await expect.poll(() => figure(page, 'Subscription fee').textContent()).toBe('$0.000');
    await expect.poll(() => page.getByText('Estimated total').locator('..').textContent()).toContain('$0.100');
    await expect
      .poll(() => page.getByRole('progressbar', { name: 'Redemptions this month' }).getAttribute('aria-valuenow'))
      .toBe('100');
    await expect(page.getByRole('img', { name: /^Overage cost by day/ })).toBeVisible();
    await expectGoodLooks(page, 'billing');
    await page.setViewportSize({ width: 1280, height: 860 });

    // a chart's table, and the period in the address
    await page.getByRole('button', { name: 'Show overage cost as table' }).click();
    await expect(page.getByRole('row', { name: /Fri, Mar 20, 2026 \$0\.100 \$0\.000/ })).toBeVisible();
    await page.getByRole('button', { name: 'Show redemptions as table' }).click();
    await expect(page.getByRole('row', { name: /Fri, Mar 20, 2026 2 0/ })).toBeVisible();
    await page.getByLabel('Period', { exact: true }).selectOption('1w');
    await page.waitForURL(/range=1w/);
    await expect(page.getByText(/^Mar 14 – 20, 2026$/)).toBeVisible();
    const saved = await savedBy(
      page.getByRole('region', { name: /Mar 14/ }).getByRole('button', { name: 'Download CSV' }),
    );
    expect(saved.name).toBe('billing-2026-03-14-to-2026-03-20.csv');
    const lines = saved.text.trim().split(/\r?\n/);
    expect(lines).toHaveLength(8);
    expect(lines.at(-1)).toBe('2026-03-20,2,0.10,0,0.00');

    // one month a page
    const history = page.getByRole('region', { name: 'Billing History' });
    await expect(history.getByRole('heading', { name: 'March 2026' })).toBeVisible();
    await expect(history.getByRole('row', { name: /Total.*\$0\.100/ })).toBeVisible();
    await history.getByRole('button', { name: 'Next' }).click();
    await page.waitForURL(/page=2/);
    await expect(history.getByRole('heading', { name: 'February 2026' })).toBeVisible();
    await expect(history.getByRole('row', { name: /Redemptions 7/ })).toBeVisible();

    await page.getByRole('link', { name: 'Manage Plan' }).click();
    await page.waitForURL(/\/dashboard\/settings#plan/);
  });

  it('lets a developer switch plans at once, and asks first when the other one gives less', async () => {
    const ada = await signUpVerified(server);
    const page = await open(ada);
    await page.goto('/app/settings#plan');
    const tile = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });
    await expect(tile('Starter').getByText('Current', { exact: true })).toBeVisible();
    await tile('Elite').getByRole('button', { name: 'Switch to Elite' }).click();
    await expect(tile('Elite').getByText('Updated', { exact: true })).toBeVisible();
    await expect(tile('Elite').getByText('Current', { exact: true })).toBeVisible();
    await expect(page.getByText('0/500')).toBeVisible();
    await screenshot(page, 'plan-switched');

    await server.db.query(`update usage_months set redemptions = 60 where developer_id = $1 and month = '2026-03-01'`, [
      ada.id,
    ]);
    await page.reload();
    await tile('Starter').getByRole('button', { name: 'Switch to Starter' }).click();
    const question = page.getByRole('alertdialog', { name: 'Switch to Starter?' });
    await expect(question.getByText('nobody can redeem a serial until Apr 1, 2026')).toBeVisible();
    await expect(question.getByText('This month still costs $20.00, the next one $0.00.')).toBeVisible();
    await expectAccessible(page);
    await screenshot(page, 'plan-downgrade');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(tile('Elite').getByText('Current', { exact: true })).toBeVisible();
    await tile('Starter').getByRole('button', { name: 'Switch to Starter' }).click();
    await question.getByRole('button', { name: 'Switch to Starter' }).click();
    await expect(tile('Starter').getByText('Updated', { exact: true })).toBeVisible();
    await expect(page.getByText('60/50', { exact: true })).toBeVisible();

    await page.route('**/api/subscribe', (route) =>
      route.fulfill({
        status: 402,
        contentType: 'application/problem+json',
        body: JSON.stringify({
          type: '/problems/card_required',
          title: 'Add a card first.',
          status: 402,
          detail: 'Add a card first.',
          code: 'card_required',
          message: 'Add a card first.',
          error: 'Add a card first.',
          request_id: 'a-request',
        }),
      }),
    );
    await tile('Pro').getByRole('button', { name: 'Switch to Pro' }).click();
    await expect(
      tile('Pro').getByRole('alert').filter({ hasText: 'Could not switch plan. Add a card first.' }),
    ).toBeVisible();
    await screenshot(page, 'plan-needs-card');
    await expect
      .poll(() => page.getByRole('link', { name: 'Add a card', exact: true }).getAttribute('href'))
      .toBe('/dashboard/settings/card');
  });

  it('names the cap of Starter, an account without history, and figures that could not be loaded', async () => {
    const ada = await signUpVerified(server);
    const page = await open(ada);
    await page.goto('/dashboard/billing');
    await expect(page.getByText('No billing history available.')).toBeVisible();
    await server.db.query("insert into usage_months (developer_id, month, redemptions) values ($1, '2026-03-01', 50)", [
      ada.id,
    ]);
    await page.reload();
    await expect(page.getByText('Capped at limit').filter({ visible: true }).nth(1)).toBeVisible();
    await screenshot(page, 'billing-capped');

    const mend = await breakCalls(page, '**/api/billing/**', {
      status: 500,
      json: { error: 'Something went wrong', code: 'internal' },
    });
    await page.reload();
    // the chart fails by itself, sooner or later
    const month = page.getByRole('region', { name: 'This month' });
    await expect(month.getByRole('heading', { name: "Couldn't load usage." })).toBeVisible();
    await expectAccessible(page);
    await screenshot(page, 'billing-broken');
    await mend();
    await month.getByRole('button', { name: 'Retry' }).click();
    await expect(month.getByText('Estimated total')).toBeVisible();
  });
});
