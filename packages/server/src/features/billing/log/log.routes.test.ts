import { billingScene, plantStatement } from '@tonerow/test-support/billing.ts';
import { type Collecting, startCollection } from '@tonerow/test-support/collection.ts';
import { call, type Person, signUpVerified } from '@tonerow/test-support/http.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DAY, TestClock } from '#platform/clock.ts';

let at: Collecting;
let admin: Person;
const clock = new TestClock('2026-03-01T00:10:00Z');
beforeAll(async () => {
  at = await startCollection(clock);
  admin = await signUpVerified(at.server);
  await at.server.db.query('update users set is_admin = true where id = $1', [admin.id]);
});
afterEach(() => at.stripe.heal());
afterAll(() => at.stop());

const { addCard, authed } = billingScene(() => at);
const collect = () => at.worker.deps.collection.run();
const log = async (query = '') => (await authed(admin, 'GET', `/api/billing/logs${query}`)).body;
const story = (id: string, step = '', method = step ? 'POST' : 'GET') =>
  authed(admin, method, `/api/billing/logs/statements/${id}${step}`);

async function declined() {
  const ada = await signUpVerified(at.server);
  const card = await addCard(ada, 'pm_card_chargeCustomerFail');
  const id = await plantStatement(at.server.db, ada, { amounts: [1000, 55] });
  await collect();
  clock.advance(1000);
  return { ada, card, id };
}

describe('the log of admins', () => {
  it('has what was charged, newest first, 20 a page, with filters and as CSV', async () => {
    const { ada } = await declined();
    const paid = await signUpVerified(at.server);
    await addCard(paid);
    for (let month = 1; month <= 11; month += 1)
      await plantStatement(at.server.db, paid, { amounts: [5], month: `2024-${String(month).padStart(2, '0')}-01` });
    for (let month = 1; month <= 11; month += 1)
      await plantStatement(at.server.db, paid, { amounts: [5000], month: `2023-${String(month).padStart(2, '0')}-01` });
    clock.advance(1000);
    await collect();
    const all = await log();
    expect(all.logs).toHaveLength(20);
    expect(all.total).toBeGreaterThanOrEqual(23);
    expect((await log('?page=2')).logs.length).toBe(Math.min(20, all.total - 20));
    expect((await log('?page=9999')).logs).toEqual([]);
    const [failure, ...none] = (await log(`?status=failed&user_id=${ada.id}`)).logs;
    expect(none).toEqual([]);
    expect(failure).toMatchObject({
      user_id: ada.id,
      email: ada.email,
      amount: 10.55,
      amount_cents: 1055,
      status: 'failed',
      error_message: 'Your card was declined.',
      action: 'charge',
      attempt: 1,
      month: '2026-02',
      actor_id: null,
    });
    expect((await log(`?search=${encodeURIComponent(ada.email)}`)).total).toBe(1);
    expect((await log('?search=%25')).total).toBe(0);
    expect((await log(`?month=2024-05`)).logs).toMatchObject([{ month: '2024-05', user_id: paid.id }]);
    const csv = await call(at.server, 'GET', `/api/billing/logs?user_id=${ada.id}`, {
      token: admin.token,
      headers: { accept: 'text/csv' },
    });
    const [head, line, end] = csv.text.split('\r\n');
    expect(head).toBe(
      'Time (UTC),Developer ID,Email,Amount (USD),Status,Action,Attempt,Error,Invoice,Month (UTC),Admin ID,Admin email',
    );
    expect(line).toMatch(`,${ada.id},${ada.email},10.55,failed,charge,1,Your card was declined.,`);
    expect(end).toBe('');
    for (const bad of ['?page=0', '?status=maybe', '?month=2026-13', '?user_id=x'])
      expect((await authed(admin, 'GET', `/api/billing/logs${bad}`)).status).toBe(400);
  });

  it('is for admins alone', async () => {
    const { ada, id } = await declined();
    for (const path of ['', `/statements/${id}`])
      expect((await authed(ada, 'GET', `/api/billing/logs${path}`)).status).toBe(403);
    for (const step of ['retry', 'uncollectible', 'void'])
      expect((await authed(ada, 'POST', `/api/billing/logs/statements/${id}/${step}`)).status).toBe(403);
  });
});

describe('one invoice', () => {
  it('has its whole story: lines, charges, and who decided what', async () => {
    const { ada, card, id } = await declined();
    expect((await story(id)).body).toMatchObject({
      statement: {
        id,
        user_id: ada.id,
        email: ada.email,
        state: 'open',
        total_cents: 1055,
        attempts: 1,
        difference: null,
      },
      lines: [
        { n: 1, amount_cents: 1000 },
        { n: 2, amount_cents: 55 },
      ],
      logs: [{ action: 'charge', status: 'failed' }],
    });
    at.stripe.behave(card.id, 'ok');
    clock.advance(1000);
    expect((await story(id, '/retry')).status).toBe(200);
    clock.advance(1000);
    await collect();
    const { statement, logs } = (await story(id)).body;
    expect(statement).toMatchObject({ state: 'paid', attempts: 2, last_error: null, next_attempt_at: null });
    expect(logs.map((row: { action: string; actor_id: string | null }) => [row.action, row.actor_id])).toEqual([
      ['charge', null],
      ['retry', admin.id],
      ['charge', null],
    ]);
    expect(logs[0].actor).toBeNull();
    for (const step of ['/retry', '/uncollectible', '/void']) expect((await story(id, step)).status).toBe(409);
    expect((await story('01900000-0000-7000-8000-000000000000')).status).toBe(404);
    expect((await story('01900000-0000-7000-8000-000000000000', '/void')).status).toBe(404);
  });

  it('can be given up, charged again after that, and given up again when that fails', async () => {
    const { card, id } = await declined();
    expect((await story(id, '/uncollectible')).body.statement).toMatchObject({ state: 'uncollectible' });
    clock.advance(DAY);
    await collect();
    expect((await story(id)).body.statement.attempts).toBe(1);
    await story(id, '/retry');
    await collect();
    expect((await story(id)).body.statement.attempts).toBe(2);
    at.stripe.behave(card.id, 'ok');
    await story(id, '/retry');
    await collect();
    expect((await story(id)).body.statement).toMatchObject({ state: 'paid', attempts: 3 });
  });

  it('can be canceled, before and after it was tried; then nothing is charged', async () => {
    const { ada, id } = await declined();
    const events = await fetch(`${at.server.url}/api/events`, { headers: { authorization: `Bearer ${ada.token}` } });
    const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader();
    const fresh = await signUpVerified(at.server);
    await addCard(fresh);
    const untried = await plantStatement(at.server.db, fresh);
    for (const each of [id, untried]) {
      const answer = await story(each, '/void');
      expect([answer.status, answer.body.statement.state]).toEqual([200, 'void']);
      expect(answer.body.logs.at(-1)).toMatchObject({
        action: 'void',
        actor_id: admin.id,
        actor: { name: 'Ada Row', email: admin.email },
      });
    }
    let heard = '';
    while (!heard.includes('"what":"void"')) heard += (await reader?.read())?.value ?? expect.fail('the stream ended');
    expect(heard).toContain(id);
    await reader?.cancel();
    const own = new Set(
      [...at.stripe.store.invoices.values()]
        .filter(({ metadata }) => metadata.statement_id === id || metadata.statement_id === untried)
        .map((invoice) => invoice.id),
    );
    const charges = () => at.stripe.store.charges.filter(({ invoice }) => own.has(invoice)).length;
    const before = charges();
    clock.advance(40 * DAY);
    await collect();
    expect(charges()).toBe(before);
    expect([...at.stripe.store.invoices.values()].find(({ metadata }) => metadata.statement_id === id)?.status).toBe(
      'void',
    );
  });

  it('of which Stripe has only a draft is canceled with it, and the reconciliation misses nothing', async () => {
    const ada = await signUpVerified(at.server);
    await addCard(ada);
    const id = await plantStatement(at.server.db, ada);
    at.stripe.fail({ call: 'POST /v1/invoices/:id/finalize', how: '500-before', times: 2 });
    await collect();
    at.stripe.heal();
    const invoicesOf = () =>
      [...at.stripe.store.invoices.values()]
        .filter(({ metadata }) => metadata.statement_id === id)
        .map(({ status }) => status);
    expect(invoicesOf()).toEqual(['draft']);
    expect((await story(id, '/void')).body.statement.state).toBe('void');
    expect(invoicesOf()).toEqual([]);
    const [row] = await at.server.db.query(
      'select stripe_invoice_id as invoice from billing_statements where id = $1',
      [id],
    );
    expect(row).toEqual({ invoice: null });
  });

  it('that was paid meanwhile is not canceled', async () => {
    const { id } = await declined();
    const invoice = [...at.stripe.store.invoices.values()].find(({ metadata }) => metadata.statement_id === id);
    Object.assign(invoice ?? {}, { status: 'paid', amount_paid: 1055 });
    expect((await story(id, '/void')).status).toBe(409);
    expect((await story(id)).body.statement.state).toBe('paid');
  });

  it('stays as it is while Stripe does not answer', async () => {
    const { id } = await declined();
    at.stripe.fail({ call: 'POST /v1/invoices/:id/void', how: 'lost-before', times: 2 });
    expect((await story(id, '/void')).status).toBe(503);
    expect((await story(id)).body.statement.state).toBe('open');
    expect((await story(id, '/void')).body.statement.state).toBe('void');
  });
});
