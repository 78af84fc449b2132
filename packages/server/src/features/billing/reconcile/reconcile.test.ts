import { randomUUID } from 'node:crypto';
import { billingScene, plantStatement } from '@tonerow/test-support/billing.ts';
import { type Collecting, startCollection } from '@tonerow/test-support/collection.ts';
import { call, signUpVerified } from '@tonerow/test-support/http.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestClock } from '#platform/clock.ts';

let at: Collecting;
const clock = new TestClock('2026-03-01T00:10:00Z');
beforeAll(async () => {
  at = await startCollection(clock);
});
afterAll(() => at.stop());

const { addCard } = billingScene(() => at);
const reconcile = async () => (await at.worker.deps.reconciliation.run()).differences;

/** A month that was paid, as a plan's fee: the ledger has nothing of it. */
async function paid() {
  const ada = await signUpVerified(at.server);
  await addCard(ada);
  const id = await plantStatement(at.server.db, ada, { amounts: [1000] });
  await at.worker.deps.collection.run();
  const invoice = [...at.stripe.store.invoices.values()].find(({ metadata }) => metadata.statement_id === id);
  if (!invoice) throw new Error('no invoice');
  return { ada, id, invoice };
}

it('shows admins that it never ran, when it ran, and why it failed', async () => {
  const admin = await signUpVerified(at.server);
  await at.server.db.query('update users set is_admin = true where id = $1', [admin.id]);
  const list = async () => (await call(at.server, 'GET', '/api/billing/differences', { token: admin.token })).body;
  expect(await list()).toEqual({ differences: [], total: 0, last_run: null, last_finished_at: null, hold: null });
  await reconcile();
  const first = clock.now().toISOString();
  expect((await list()).last_run).toEqual({ ran_at: first, compared: 0, differences: 0, error: null });
  clock.advance(60_000);
  at.stripe.fail({ call: 'GET /v1/invoices', how: '500-before', times: 9 });
  await expect(reconcile()).rejects.toThrow();
  at.stripe.heal();
  expect(await list()).toMatchObject({
    last_run: { ran_at: clock.now().toISOString(), compared: 0, error: expect.stringContaining('error') },
    last_finished_at: first,
  });
});

it('fails with its own reason, also when that cannot be noted', async () => {
  await at.server.db.query(
    `create function refuse() returns trigger language plpgsql as 'begin raise exception ''no room''; end'`,
  );
  await at.server.db.query(
    'create trigger refused before insert on billing_reconciliations for each row execute function refuse()',
  );
  at.stripe.fail({ call: 'GET /v1/invoices', how: '500-before', times: 9 });
  const failed = reconcile();
  await expect(failed).rejects.toMatchObject({ name: 'PaymentError', kind: 'unavailable' });
  at.stripe.heal();
  await at.server.db.query('drop trigger refused on billing_reconciliations');
});

it('finds nothing where statements, invoices and the ledger agree, and ignores invoices that are not ours', async () => {
  const { invoice } = await paid();
  at.stripe.store.invoices.set('in_foreign', { ...invoice, id: 'in_foreign', metadata: {} });
  expect(await reconcile()).toEqual([]);
});

it('reports each difference in words and repairs nothing; when it is gone, it is reported no more', async () => {
  const { ada, id, invoice } = await paid();
  const { status, total } = invoice;
  const cases: [string, () => void, () => void][] = [
    [
      'It is paid here and open at Stripe. Look for the payment at Stripe: if the money has arrived, mark the invoice as paid there; if not, charge it there.',
      () => Object.assign(invoice, { status: 'open' }),
      () => Object.assign(invoice, { status }),
    ],
    [
      'Stripe’s invoice is over $9.00 instead of $10.00. $1.00 were not collected: settle that with the developer.',
      () => Object.assign(invoice, { total: 900 }),
      () => Object.assign(invoice, { total }),
    ],
    [
      'Its invoice is not at Stripe. Check that STRIPE_SECRET_KEY belongs to the Stripe account that it was made in.',
      () => at.stripe.store.invoices.delete(invoice.id),
      () => at.stripe.store.invoices.set(invoice.id, invoice),
    ],
    [
      'Stripe has 2 invoices for it. Void all but one there; what was paid more than once has to be refunded.',
      () => at.stripe.store.invoices.set('in_twice', { ...invoice, id: 'in_twice' }),
      () => at.stripe.store.invoices.delete('in_twice'),
    ],
  ];
  for (const [words, breaks, mends] of cases) {
    breaks();
    const found = await reconcile();
    expect(found).toEqual([expect.stringMatching(`^2026-\\S+ ${id} `)]);
    expect(found[0]?.endsWith(`: ${words}`), found[0]).toBe(true);
    expect(await at.server.db.query('select words from billing_differences where developer_id = $1', [ada.id])).toEqual(
      [{ words }],
    );
    mends();
    expect(await reconcile()).toEqual([]);
  }
  expect(await at.server.db.query('select state from billing_statements where id = $1', [id])).toEqual([
    { state: 'paid' },
  ]);
});

it('reports an invoice with our ids for a statement that is not here', async () => {
  const { invoice } = await paid();
  const stranger = randomUUID();
  const metadata = { ...invoice.metadata, statement_id: stranger };
  const told = async (status: 'paid' | 'open' | 'void') => {
    at.stripe.store.invoices.set('in_stranger', { ...invoice, id: 'in_stranger', metadata, status });
    return reconcile();
  };
  expect(await told('paid')).toEqual([
    expect.stringMatching(
      `^– ${stranger} in_stranger: Stripe has an invoice over .10.00 .paid. that is not here. If this database was set back`,
    ),
  ]);
  expect(await told('open')).toEqual([expect.stringContaining('Void it at Stripe, unless another server')]);
  // that is done
  expect(await told('void')).toEqual([]);
  at.stripe.store.invoices.delete('in_stranger');
});

it('shows admins, and nobody else, what the last run has found, with the invoice where there is one', async () => {
  const { ada, id, invoice } = await paid();
  const admin = await signUpVerified(at.server);
  await at.server.db.query('update users set is_admin = true where id = $1', [admin.id]);
  const list = async (query = '') =>
    (await call(at.server, 'GET', `/api/billing/differences${query}`, { token: admin.token })).body;
  const stranger = randomUUID();
  Object.assign(invoice, { total: 900 });
  at.stripe.store.invoices.set('in_strange', {
    ...invoice,
    id: 'in_strange',
    metadata: { ...invoice.metadata, statement_id: stranger },
  });
  await reconcile();
  const { differences, total } = await list();
  expect(total).toBe(2);
  const found_at = clock.now().toISOString();
  expect(differences).toContainEqual({
    user_id: ada.id,
    email: ada.email,
    statement_id: id,
    number: expect.stringMatching(/^2026-/),
    month: '2026-02',
    stripe_invoice_id: invoice.id,
    words: expect.stringContaining('Stripe’s invoice is over $9.00 instead of $10.00.'),
    found_at,
  });
  expect(differences).toContainEqual({
    user_id: ada.id,
    email: null,
    statement_id: stranger,
    number: null,
    month: null,
    stripe_invoice_id: 'in_strange',
    words: expect.stringContaining('Stripe has an invoice over $9.00 (paid) that is not here.'),
    found_at,
  });
  expect(await list('?page=2')).toMatchObject({ differences: [], total: 2, last_run: { differences: 2, error: null } });
  expect((await call(at.server, 'GET', '/api/billing/differences', { token: ada.token })).status).toBe(403);
  at.stripe.store.invoices.delete('in_strange');
  Object.assign(invoice, { total: 1000 });
  await reconcile();
  const [all] = await at.server.db.query<{ n: number }>('select count(*)::int as n from billing_statements');
  expect(await list()).toEqual({
    differences: [],
    total: 0,
    hold: null,
    last_run: { ran_at: found_at, compared: all?.n, differences: 0, error: null },
    last_finished_at: found_at,
  });
});

it('gives admins, and nobody else, all of it as CSV', async () => {
  const { ada, id, invoice } = await paid();
  const admin = await signUpVerified(at.server);
  await at.server.db.query('update users set is_admin = true where id = $1', [admin.id]);
  const stranger = randomUUID();
  Object.assign(invoice, { total: 900 });
  const metadata = { ...invoice.metadata, statement_id: stranger };
  at.stripe.store.invoices.set('in_foreign_csv', { ...invoice, id: 'in_foreign_csv', metadata });
  await reconcile();
  const ask = (token: string | undefined, accept: string) =>
    call(at.server, 'GET', '/api/billing/differences?page=9', { token, headers: { accept } });
  const { text, headers } = await ask(admin.token, 'text/csv');
  expect(headers.get('content-disposition')).toBe('attachment; filename="billing-differences.csv"');
  const [head, ...rows] = text.split('\r\n');
  expect(head).toBe('Time (UTC),Developer ID,Email,Invoice,Month (UTC),Invoice ID,Stripe Invoice ID,Difference');
  expect(rows.at(-1)).toBe('');
  const rowOf = (statement: string) => rows.filter((row) => row.includes(statement));
  const time = clock.now().toISOString();
  expect(rowOf(id)).toEqual([
    expect.stringMatching(
      `^${time},${ada.id},${ada.email},2026-[^,]+,2026-02,${id},${invoice.id},Stripe’s invoice is over .9.00 instead of .10.00\\.`,
    ),
  ]);
  expect(rowOf(stranger)).toEqual([
    expect.stringMatching(`^${time},${ada.id},,,,${stranger},in_foreign_csv,"Stripe has an invoice over .9.00`),
  ]);
  expect((await ask(admin.token, 'application/x-ndjson')).status).toBe(406);
  expect((await ask(ada.token, 'text/csv')).status).toBe(403);
  at.stripe.store.invoices.delete('in_foreign_csv');
  Object.assign(invoice, { total: 1000 });
  await reconcile();
  expect((await ask(admin.token, 'text/csv')).text).toBe(`${head}\r\n`);
});

it('reports a statement whose overage is not in the ledger', async () => {
  const ada = await signUpVerified(at.server);
  const id = await plantStatement(at.server.db, ada, { amounts: [1000, 55] });
  expect(await reconcile()).toEqual([
    expect.stringMatching(`^2026-\\S+ ${id} –: The ledger has .0.00 of overage instead of .0.55. The developer owes`),
  ]);
});

it('reports what differs about one statement together, from the ledger and at Stripe', async () => {
  const ada = await signUpVerified(at.server);
  await addCard(ada);
  const id = await plantStatement(at.server.db, ada, { amounts: [1000, 55] });
  await at.worker.deps.collection.run();
  const invoice = [...at.stripe.store.invoices.values()].find(({ metadata }) => metadata.statement_id === id);
  Object.assign(invoice ?? {}, { total: 900 });
  const found = (await reconcile()).filter((words) => words.includes(id));
  expect(found).toEqual([
    expect.stringMatching(`^2026-\\S+ ${id} ${invoice?.id}: The ledger has .* Stripe’s invoice is over .9.00`),
  ]);
});

it('finds nothing in a month with nothing to pay, which has no lines', async () => {
  const ada = await signUpVerified(at.server);
  await at.server.db.query(
    "insert into usage_months (developer_id, month, redemptions, plan) values ($1, '2026-02-01', 3, 'free')",
    [ada.id],
  );
  await at.worker.deps.closings.run({ through: '2026-02' });
  const made = await at.server.db.query<{ id: string; state: string; total_cents: number }>(
    'select id, state, total_cents from billing_statements where developer_id = $1',
    [ada.id],
  );
  expect(made).toMatchObject([{ state: 'settled', total_cents: 0 }]);
  expect((await reconcile()).filter((words) => words.includes(made[0]?.id ?? ''))).toEqual([]);
});

it('shows admins since when nothing is charged after a restore, and what waits; it is released only after a reconciliation', async () => {
  const { collectionHold, collection } = at.worker.deps;
  const admin = await signUpVerified(at.server);
  await at.server.db.query('update users set is_admin = true where id = $1', [admin.id]);
  const hold = async () => (await call(at.server, 'GET', '/api/billing/differences', { token: admin.token })).body.hold;
  const ada = await signUpVerified(at.server);
  await addCard(ada);
  const id = await plantStatement(at.server.db, ada, { amounts: [1000] });
  await expect(collectionHold.release()).rejects.toThrow('Collection is not on hold.');
  const backupAt = new Date(clock.now().getTime() - 60_000);
  clock.advance(60_000);
  await collectionHold.begin(backupAt);
  const since = clock.now().toISOString();
  expect(await hold()).toEqual({
    since,
    backup_at: backupAt.toISOString(),
    reconciled_at: null,
    due: 1,
    due_cents: 1000,
  });
  // no job and no admin charges it, and it stays due
  expect(await collection.run()).toMatchObject({ paid: 0, onHold: new Date(since) });
  await collection.runOne({ developerId: ada.id, statementId: id });
  const retried = await call(at.server, 'POST', `/api/billing/logs/statements/${id}/retry`, { token: admin.token });
  expect([retried.status, retried.text]).toEqual([409, expect.stringContaining('Nothing is charged since')]);
  await expect(collectionHold.release()).rejects.toThrow('Reconcile first');
  clock.advance(60_000);
  await reconcile();
  expect(await hold()).toMatchObject({ reconciled_at: clock.now().toISOString() });
  await collectionHold.release();
  expect(await hold()).toBeNull();
  expect(await collection.run()).toMatchObject({ paid: 1 });
});
