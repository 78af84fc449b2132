import { billingScene, plantStatement } from '@tonerow/test-support/billing.ts';
import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { type Person, signUpVerified } from '@tonerow/test-support/http.ts';
import { startServer } from '@tonerow/test-support/server.ts';
import { type StripeStandIn, startStripe } from '@tonerow/test-support/stripe/stand-in.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { breakCalls, expectAccessible, expectGoodLooks, savedBy, screenshot } from './dashboard.ts';

describe('the billing logs in a browser', { timeout: 120_000 }, () => {
  let stripe: StripeStandIn;
  afterAll(() => stripe?.stop());
  const { server, openPage } = browserSuite(async () => {
    stripe = await startStripe();
    return startServer({ web: true, env: stripe.env });
  });
  let admin: Person;
  beforeAll(async () => {
    admin = await signUpVerified(server);
    await server.db.query('update users set is_admin = true where id = $1', [admin.id]);
  });

  const { addCard, besideIt } = billingScene(() => ({ server, stripe }));
  const collect = () => besideIt((deps) => deps.collection.run());
  const open = (as: Person) => openPage({ as });

  /** A developer whose card is declined for two months. */
  async function declined() {
    const ada = await signUpVerified(server);
    const card = await addCard(ada, 'pm_card_chargeCustomerFail');
    const ids = [];
    for (const month of ['2026-01-01', '2026-02-01'])
      ids.push(await plantStatement(server.db, ada, { amounts: [1000, 55], month }));
    await collect();
    const numbers = await server.db.query<{ id: string; number: string }>(
      'select id, number from billing_statements where developer_id = $1',
      [ada.id],
    );
    const numberOf = (id: string | undefined) => numbers.find((each) => each.id === id)?.number ?? '';
    return { ada, card, ids, numberOf };
  }

  it('show an admin every charge, and the whole story of an invoice, which is charged again, given up or voided', async () => {
    const { ada, card, ids, numberOf } = await declined();
    const page = await open(admin);
    await page.goto('/admin/billing');
    const rows = page.getByRole('table', { name: 'Billing logs' }).getByRole('row');
    await expect(rows.nth(2)).toBeVisible();
    await expect(
      page.getByRole('row', { name: 'Developer ID Email Invoice Amount Status Error Timestamp' }),
    ).toBeVisible();
    await expect(rows.filter({ hasText: ada.email })).toHaveCount(2);
    await expect(page.getByText(/^Never run yet\./)).toBeVisible();
    await screenshot(page, 'billing-logs');

    // filters are in the address, and in the CSV
    await page.getByLabel('Status').selectOption('success');
    await page.waitForURL(/status=success/);
    await expect(page.getByRole('heading', { name: 'No entry matches' })).toBeVisible();
    await page.getByLabel('Status').selectOption('failed');
    await page.getByLabel('Month (UTC)').fill('2026-02');
    await page.waitForURL(/month=2026-02/);
    await page.getByLabel('Search the billing logs').fill(ada.email);
    await page.waitForURL(/search=/);
    await expect(page.locator('tbody tr')).toHaveCount(1);
    const download = await savedBy(page.getByRole('button', { name: 'Download CSV' }));
    expect(download.text.trim().split('\r\n')).toHaveLength(2);
    await page.getByRole('link', { name: `Only entries of developer ${ada.id}` }).click();
    await page.waitForURL(new RegExp(`user=${ada.id}$`));
    await expect(rows.nth(2)).toBeVisible();

    // one story: another charge, which goes through this time
    await page.getByRole('link', { name: numberOf(ids[1]) }).click();
    await expect(page.getByRole('heading', { name: `Invoice ${numberOf(ids[1])}` })).toBeVisible();
    await expect(
      page.getByRole('row', { name: /Charge 1 failed \$10\.55 Server Your card was declined\./ }),
    ).toBeVisible();
    await expect(page.getByRole('row', { name: 'Line 2 1 $0.55 $0.55' })).toBeVisible();
    await page.getByRole('button', { name: 'Try again', exact: true }).click();
    const question = page.getByRole('alertdialog');
    await expect(question.getByText('It is charge 2 of this invoice.')).toBeVisible();
    await expectAccessible(page);
    await screenshot(page, 'billing-story-retry');
    stripe.behave(card.id, 'ok');
    await question.getByRole('button', { name: 'Try again' }).click();
    await expect(
      page.getByRole('row', { name: new RegExp(`Try again success \\$10\\.55 Ada Row ${admin.email}`) }),
    ).toBeVisible();
    await expect(page.getByRole('row', { name: /Charge 2 success \$10\.55 Server/ })).toBeVisible();
    await expect(page.getByText('Paid', { exact: true }).first()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Void', exact: true })).toHaveCount(0);

    // another: given up, then voided
    await page.goto(`/admin/billing/${ids[0]}`);
    await page.getByRole('button', { name: 'Uncollectible', exact: true }).click();
    await expect(question.getByText('gets an email that it is still unpaid')).toBeVisible();
    await screenshot(page, 'billing-story-uncollectible');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Uncollectible', exact: true }).click();
    await question.getByRole('button', { name: 'Mark uncollectible' }).click();
    await expect(page.getByRole('row', { name: /Uncollectible success \$10\.55 Ada Row/ })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Uncollectible', exact: true })).toHaveCount(0);
    await page.getByRole('button', { name: 'Void', exact: true }).click();
    const confirm = question.getByRole('button', { name: 'Void invoice' });
    await expect(confirm).toBeDisabled();
    await question.getByRole('textbox').fill(numberOf(ids[0]));
    await screenshot(page, 'billing-story-void');
    await confirm.click();
    await expect(page.getByRole('row', { name: /Void success \$10\.55 Ada Row/ })).toBeVisible();
    await expect(page.getByText('Void', { exact: true }).first()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Try again', exact: true })).toHaveCount(0);
    const actors = await server.db.query<{ action: string; actor_id: string | null }>(
      'select action, actor_id from billing_logs where developer_id = $1 and actor_id is not null order by action',
      [ada.id],
    );
    expect(actors).toEqual(['retry', 'uncollectible', 'void'].map((action) => ({ action, actor_id: admin.id })));
  });

  it('show what the last reconciliation found to differ, where the invoice is too', async () => {
    const { ids, numberOf } = await declined();
    const invoice = [...stripe.store.invoices.values()].find(({ metadata }) => metadata.statement_id === ids[0]);
    Object.assign(invoice ?? {}, { total: 900 });
    await besideIt((deps) => deps.reconciliation.run());
    const page = await open(admin);
    await page.goto('/admin/billing');
    const differences = page.getByRole('region', { name: 'Reconciliation' });
    await expect(differences.getByText('Stripe’s invoice is over $9.00 instead of $10.55.')).toBeVisible();
    await expect(page.getByText('Your card was declined.').locator('visible=true').first()).toBeVisible();
    await expectGoodLooks(page, 'billing-logs');
    const download = await savedBy(page.getByRole('button', { name: 'Download differences' }));
    expect(download.name).toBe('billing-differences.csv');
    expect(download.text).toContain('Stripe’s invoice is over $9.00 instead of $10.55.');
    await differences.getByRole('link', { name: numberOf(ids[0]) }).click();
    await expect(page.getByText('The last reconciliation found a difference:')).toBeVisible();
    await expectGoodLooks(page, 'billing-story');
    await page.context().close();
    Object.assign(invoice ?? {}, { total: 1055 });
    await besideIt((deps) => deps.reconciliation.run());
  });

  it('go page by page, and the way back from a story leads to the same page', async () => {
    const { ada, ids, numberOf } = await declined();
    await server.db.query(
      `insert into billing_logs (developer_id, id, statement_id, attempt, action, status, email, amount_cents, error_message, created_at)
       select $1, gen_random_uuid(), $2, n, 'charge', 'failed', $3, 1055, 'Declined ' || n, now() - n * interval '1 day'
       from generate_series(2, 25) n`,
      [ada.id, ids[0], ada.email],
    );
    const page = await open(admin);
    await page.goto(`/admin/billing?user=${ada.id}`);
    const rows = page.getByRole('table', { name: 'Billing logs' }).locator('tbody tr');
    await expect(page.getByText('26 entries')).toBeVisible();
    await expect(rows).toHaveCount(20);
    await expect(page.getByText('Page 1 of 2')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Prev' })).toBeDisabled();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.waitForURL(/page=2/);
    await expect(page.getByTitle('Declined 25')).toBeVisible();
    await expect(rows).toHaveCount(6);
    await page
      .getByRole('link', { name: numberOf(ids[0]) })
      .first()
      .click();
    await expect(page.getByRole('heading', { name: `Invoice ${numberOf(ids[0])}` })).toBeVisible();
    await page.goBack();
    await page.waitForURL(/page=2/);
    await expect(page.getByText('Page 2 of 2')).toBeVisible();
    await expect(page.getByTitle('Declined 25')).toBeVisible();
    await page.getByRole('button', { name: 'Prev' }).click();
    await expect(page.getByText('Page 1 of 2')).toBeVisible();
    await expect(rows).toHaveCount(20);
  });

  it('keep an admin informed when Stripe does not answer, and when they cannot be loaded', async () => {
    const { ids } = await declined();
    const page = await open(admin);
    await page.goto(`/admin/billing/${ids[0]}`);
    stripe.fail({ call: 'POST /v1/invoices/:id/void', how: 'lost-before', times: 40 });
    await page.getByRole('button', { name: 'Void', exact: true }).click();
    const question = page.getByRole('alertdialog');
    await question.getByRole('textbox').fill((await question.locator('label strong').textContent()) ?? '');
    await question.getByRole('button', { name: 'Void invoice' }).click();
    await expect(question.getByRole('alert').filter({ hasText: 'Stripe does not answer.' })).toBeVisible();
    await expectAccessible(page);
    stripe.heal();
    await page.goto('/admin/billing/01900000-0000-7000-8000-000000000000');
    await expect(page.getByRole('heading', { name: 'Invoice not found' })).toBeVisible();
    const mend = await breakCalls(page, '**/api/billing/**', { status: 502, body: '' });
    await page.goto('/admin/billing');
    await expect(page.getByRole('heading', { name: "Billing logs couldn't be loaded" })).toBeVisible();
    await expect(page.getByText('The differences couldn’t be loaded:')).toBeVisible();
    await expectAccessible(page);
    await screenshot(page, 'billing-logs-broken');
    await mend();
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('table', { name: 'Billing logs' }).getByRole('row').nth(1)).toBeVisible();
  });

  it('are for admins alone: everybody else is sent away', async () => {
    for (const [role, path] of [
      ['developer', '/admin/billing'],
      ['reseller', '/admin/billing/01900000-0000-7000-8000-000000000000'],
    ] as const) {
      const page = await open(await signUpVerified(server, role));
      await page.goto(path);
      await page.waitForURL(/\/not-authorized$/);
      await expect(page.getByText('Access Denied: You do not have permission to view this page.')).toBeVisible();
    }
  });
});
