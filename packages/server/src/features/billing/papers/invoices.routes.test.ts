import { monthScene } from '@tonerow/test-support/billing-months.ts';
import { call, type Person, signUp } from '@tonerow/test-support/http.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestClock } from '#platform/clock.ts';

let server: TestServer;
const clock = new TestClock('2026-01-10T12:00:00Z');
beforeAll(async () => {
  server = await startServer({
    overrides: { clock },
    env: { TONEROW_INVOICE_FROM: 'Tonerow Ltd\\n1 Plugin Way, London\\nVAT GB000000000' },
  });
});
afterAll(() => server.stop());

const { developer, switchTo, ask, invoicesOf, close } = monthScene(() => ({ server, clock }));

/** A developer whose months January to April 2026 are closed: with a fee, elite from March on. */
async function billed(): Promise<Person> {
  clock.set('2026-01-10T12:00:00Z');
  const ada = await developer('pro');
  await server.db.query(
    "update users set company_name = '<b>Row</b> & Sons', business_address = '12 Tone Street', tax_id = 'DE\"42' where id = $1",
    [ada.id],
  );
  clock.set('2026-03-10T12:00:00Z');
  await switchTo(ada, 'elite');
  clock.set('2026-05-01T00:00:00Z');
  await close();
  return ada;
}

/** The answer as it is. */
async function open(person: Person, path: string, accept = '*/*') {
  await ask(person);
  const headers = { authorization: `Bearer ${person.token}`, accept };
  const response = await fetch(`${server.url}/api/billing/invoices${path}`, { headers });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

describe('the list of invoices', () => {
  it('is read page by page, with the sums of all pages, by year and by state', async () => {
    const ada = await billed();
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await ask(ada, `?limit=3${cursor && `&cursor=${cursor}`}`);
      expect(body).toMatchObject({ total: 4, totals: { total: 60, paid: 0, outstanding: 0 } });
      seen.push(...body.rows.map((row: { month: string }) => row.month));
      cursor = body.next_cursor ?? '';
    } while (cursor);
    expect(seen).toEqual(['2026-04', '2026-03', '2026-02', '2026-01']);
    await server.db.query(
      "update billing_statements set state = 'paid' where developer_id = $1 and month = '2026-01-01'",
      [ada.id],
    );
    await server.db.query(
      "update billing_statements set state = 'open' where developer_id = $1 and month = '2026-02-01'",
      [ada.id],
    );
    expect((await ask(ada)).body.totals).toEqual({ total: 60, paid: 10, outstanding: 10 });
    expect((await ask(ada, '?state=paid')).body).toMatchObject({ total: 1, totals: { total: 10, paid: 10 } });
    expect((await ask(ada, '?year=2025')).body).toMatchObject({ rows: [], total: 0, totals: { total: 0 } });
    for (const bad of ['?cursor=xyz', '?state=late', '?year=1', '?limit=0'])
      expect((await ask(ada, bad)).status, bad).toBe(400);
  });

  it('as CSV has every invoice that matches, with the sums that the screen has', async () => {
    const ada = await billed();
    const { response, bytes } = await open(ada, '?limit=1', 'text/csv');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="invoices.csv"');
    const [head, ...lines] = bytes.toString().trimEnd().split('\r\n');
    expect(head).toBe(
      'Number,Month (UTC),Plan,Fee,Redemptions,Overage Redemptions,Overage,Refreshes,Refresh Cost,Total,State,Closed At,Paid At,Paid By,ID',
    );
    expect(lines.map((line) => line.split(',').slice(1, 11).join(','))).toEqual([
      '2026-04,elite,20.00,0,0,0.00,0,0.00,20.00,local',
      '2026-03,elite,20.00,0,0,0.00,0,0.00,20.00,local',
      '2026-02,pro,10.00,0,0,0.00,0,0.00,10.00,local',
      '2026-01,pro,10.00,0,0,0.00,0,0.00,10.00,local',
    ]);
    expect((await open(ada, '', 'application/x-ndjson')).response.status).toBe(406);
  });
});

describe('an invoice on paper', () => {
  it('is a page that runs nothing, with who bills, who is billed, and every line', async () => {
    const ada = await billed();
    const [, march] = await invoicesOf(ada);
    const { response, bytes } = await open(ada, `/${march.id}/print`);
    const html = bytes.toString();
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]+=*'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    for (const words of [
      `Invoice ${march.number}`,
      'March 2026 (UTC)',
      'Tonerow Ltd',
      'VAT GB000000000',
      '&lt;b&gt;Row&lt;/b&gt; &amp; Sons',
      '12 Tone Street',
      'Tax id: DE&quot;42',
      'Plan Elite, March 2026 (UTC)',
      '$20.00',
    ])
      expect(html).toContain(words);
    expect(html).not.toMatch(/<script|<b>Row|style="|https?:/);
  });

  it('is a PDF with the same bytes whenever it is made, and becomes the receipt when it is paid', async () => {
    const ada = await billed();
    const [invoice] = await invoicesOf(ada);
    const one = await open(ada, `/${invoice.id}/pdf`);
    expect(one.response.headers.get('content-disposition')).toBe(
      `attachment; filename="invoice-${invoice.number}.pdf"`,
    );
    expect(one.bytes.subarray(0, 5).toString()).toBe('%PDF-');
    await server.db.query("update users set company_name = 'Renamed', tax_id = null where id = $1", [ada.id]);
    clock.advance(60_000);
    expect((await open(ada, `/${invoice.id}/pdf`)).bytes.equals(one.bytes)).toBe(true);
    await server.db.query(
      "update billing_statements set state = 'paid', paid_at = '2026-05-02T10:00:00Z' where id = $1",
      [invoice.id],
    );
    const receipt = await open(ada, `/${invoice.id}/pdf`);
    expect(receipt.response.headers.get('content-disposition')).toBe(
      `attachment; filename="receipt-${invoice.number}.pdf"`,
    );
    expect(receipt.bytes.equals(one.bytes)).toBe(false);
    expect((await open(ada, `/${invoice.id}/print`)).bytes.toString()).toContain('<td>2026-05-02</td>');
  });

  it('is not found for anybody else, nor for a developer without it', async () => {
    const ada = await billed();
    const [{ id }] = await invoicesOf(ada);
    const eve = await signUp(server);
    for (const path of ['', '/print', '/pdf']) {
      expect((await call(server, 'GET', `/api/billing/invoices/${id}${path}`, { token: eve.token })).status).toBe(404);
      expect((await ask(ada, `/019cd0a0-0000-7000-8000-0000000000e2${path}`)).status).toBe(404);
    }
    const rae = await signUp(server, 'reseller');
    expect((await call(server, 'GET', '/api/billing/invoices', { token: rae.token })).status).toBe(403);
  });
});
