import { plantStatement } from '@tonerow/test-support/billing.ts';
import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { type Person, signUpVerified } from '@tonerow/test-support/http.ts';
import { startServer } from '@tonerow/test-support/server.ts';
import { describe, expect, it } from 'vitest';
import { TestClock } from '../../packages/server/src/platform/clock.ts';
import { breakCalls, expectAccessible, expectGoodLooks, savedBy, screenshot } from './dashboard.ts';

describe('invoices in a browser', { timeout: 120_000 }, () => {
  const clock = new TestClock('2026-03-20T12:00:00Z');
  const { server, openPage } = browserSuite(() => startServer({ web: true, overrides: { clock } }));

  const open = (as: Person) => openPage({ as, now: clock.now() });

  /** A developer with an invoice in each of these states, one a month, the last one for February. */
  async function billed(...states: string[]) {
    const ada = await signUpVerified(server);
    const ids: string[] = [];
    for (const [ago, state] of states.toReversed().entries()) {
      const month = new Date(Date.UTC(2026, 1 - ago, 1)).toISOString().slice(0, 10);
      const id = await plantStatement(server.db, ada, { amounts: state === 'settled' ? [] : [1000, 55], month });
      const failed = state === 'open' || state === 'failed';
      await server.db.query(
        `update billing_statements set state = $2, attempts = $3, last_error = $4, next_attempt_at = $5, paid_at = $6 where id = $1`,
        [
          id,
          state,
          failed ? 2 : 0,
          failed ? 'Your card was declined.' : null,
          state === 'open' ? '2026-03-24T00:10:00Z' : null,
          state === 'paid' ? '2026-03-01T00:20:00Z' : null,
        ],
      );
      if (failed)
        await server.db.query(
          `insert into billing_logs (developer_id, id, statement_id, attempt, action, status, email, amount_cents, error_message, created_at)
           values ($1, gen_random_uuid(), $2, 2, 'charge', 'failed', $3, 1055, 'Your card was declined.', now())`,
          [ada.id, id, ada.email],
        );
      await server.db.query(
        `insert into usage_months (developer_id, month, redemptions, closed_at) values ($1, $2, 7, $2::date + interval '1 month')`,
        [ada.id, month],
      );
      ids.unshift(id);
    }
    return { ada, ids };
  }

  it('are listed with what is due and paid, filtered in the address, and saved as PDF and CSV', async () => {
    const { ada } = await billed('paid', 'uncollectible', 'void', 'settled', 'failed', 'open', 'paid');
    const page = await open(ada);
    await page.goto('/dashboard/billing');
    await page.getByRole('link', { name: 'Invoices' }).first().click();
    await page.waitForURL(/\/dashboard\/billing\/invoices$/);
    const rows = page.getByRole('table', { name: 'Invoices' }).getByRole('row');
    await expect(rows.nth(7)).toBeVisible();
    await expect(page.getByRole('row', { name: /February 2026 Pro \$10\.55 \$0\.00 Paid Mar 1, 2026/ })).toBeVisible();
    await expect(page.getByRole('row', { name: /January 2026 Pro \$10\.55 \$10\.55 Open –/ })).toBeVisible();
    await expect
      .poll(() => page.locator('dl > div').filter({ hasText: 'Outstanding' }).textContent())
      .toContain('$21.10');
    await expectGoodLooks(page, 'invoices');
    await page.setViewportSize({ width: 1280, height: 860 });

    const csv = await savedBy(page.getByRole('button', { name: 'Download CSV' }));
    expect(csv.name).toBe('invoices.csv');
    expect(csv.text.trim().split('\r\n')).toHaveLength(8);
    const pdf = await savedBy(rows.nth(1).getByRole('button', { name: /^PDF of invoice/ }));
    expect(pdf.name).toMatch(/^invoice-2026-.*\.pdf$/);
    expect(pdf.text).toMatch(/^%PDF-/);

    await page.getByLabel('State').selectOption('Failed');
    await page.waitForURL(/state=failed/);
    await expect(page.locator('tbody tr')).toHaveCount(1);
    await page.getByLabel('Year').selectOption('2025');
    await page.waitForURL(/year=2025/);
    await expect(page.locator('tbody tr')).toHaveCount(1);
    await page.getByLabel('State').selectOption('Being charged');
    await expect(page.getByRole('heading', { name: 'No invoice matches' })).toBeVisible();
    await page.getByRole('button', { name: 'Show all invoices' }).click();
    await expect(rows.nth(7)).toBeVisible();
  });

  it('have a page each, which the history links to, with its lines, and are printed as the server lays them out', async () => {
    const { ada, ids } = await billed('failed', 'open', 'paid');
    const page = await open(ada);
    // notes what is printed, instead of a printer's dialog
    await page.addInitScript(() => {
      window.print = () => {
        const top = window.top as (Window & { printed?: string }) | null;
        if (top) top.printed = `${document.title}\n${document.body.textContent}`;
        window.dispatchEvent(new Event('afterprint'));
      };
    });
    await page.goto('/dashboard/billing');
    const history = page.getByRole('region', { name: 'Billing History' });
    await expect(history.getByRole('heading', { name: 'February 2026' })).toBeVisible();
    await expect(history.getByText('Paid', { exact: true })).toBeVisible();
    await history.getByRole('link', { name: /^Invoice 2026-/ }).click();
    await page.waitForURL(new RegExp(`/dashboard/billing/invoices/${ids.at(-1)}$`));
    await expect(page.getByRole('heading', { name: /^Invoice 2026-/ })).toBeVisible();
    await expect(page.getByRole('row', { name: /Line 2 1 \$0\.55 \$0\.55/ })).toBeVisible();
    await expect(page.getByRole('row', { name: /Total \(USD\) \$10\.55/ })).toBeVisible();
    await expect(page.getByText(ada.email).last()).toBeVisible();
    const pdf = await savedBy(page.getByRole('button', { name: 'Receipt as PDF' }));
    expect(pdf.text).toMatch(/^%PDF-/);
    await page.getByRole('button', { name: 'Print' }).click();
    await expect
      .poll(() => page.evaluate(() => (window as { printed?: string }).printed))
      .toMatch(/^Receipt 2026-[\s\S]*Total \(USD\)\s*\$10\.55/);
    await expect(page.locator('iframe')).not.toBeAttached();

    await page.goto(`/dashboard/billing/invoices/${ids[1]}`);
    await expect(
      page.getByText('$10.55 could not be charged. Your card was declined. We try again on Mar 24, 2026 (UTC)'),
    ).toBeVisible();
    await expect
      .poll(() => page.getByRole('link', { name: 'Enter a card' }).getAttribute('href'))
      .toBe('/dashboard/settings/card');
    await expectGoodLooks(page, 'invoice');
    await page.goto(`/dashboard/billing/invoices/${ids[0]}`);
    await expect(page.getByText('This card is not tried again.')).toBeVisible();
    await screenshot(page, 'invoice-failed');
  });

  it('show when there are none, one is not there, or they cannot be loaded', async () => {
    const ada = await signUpVerified(server);
    const { ids } = await billed('paid');
    const page = await open(ada);
    await page.goto('/dashboard/billing/invoices');
    await expect(page.getByRole('heading', { name: 'No invoices yet' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Download CSV' })).toBeDisabled();
    // somebody else's
    await page.goto(`/dashboard/billing/invoices/${ids[0]}`);
    await expect(page.getByRole('heading', { name: 'Invoice not found' })).toBeVisible();

    const mend = await breakCalls(page, '**/api/billing/invoices?*', { status: 502, body: '' });
    await page.goto('/dashboard/billing/invoices');
    await expect(page.getByRole('heading', { name: "Invoices couldn't be loaded" })).toBeVisible();
    await expectAccessible(page);
    await screenshot(page, 'invoices-broken');
    await mend();
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('heading', { name: 'No invoices yet' })).toBeVisible();
  });
});
