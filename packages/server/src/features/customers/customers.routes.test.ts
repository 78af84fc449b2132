import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, describe, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
let codes: string[];
beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
  const product = await makeProduct(server, ada.token, { name: 'Delay', price: 30 });
  codes = (await makeSerials(server, ada.token, product.id, { quantity: 30 })).map((serial) => serial.code);
  for (let i = 0; i < 22; i += 1) await redeem(server, codes[i] as string, `+p${i}@example.com`, ada.id);
});

const get = (path: string) => call(server, 'GET', `/api/customers/${path}`, { token: ada.token });

it('lists twenty a page, newest first, and finds by name, address and day', async () => {
  const first = (await get('list')).body;
  expect([first.customers.length, first.total, first.page_size, first.time_zone]).toEqual([20, 22, 20, 'UTC']);
  expect(first.customers[0]).toMatchObject({
    email: '+p21@example.com',
    first_name: 'Nina',
    product_name: 'Delay',
    serial_code: codes[21],
    serials: 1,
  });
  expect((await get('list?page=2')).body.customers).toHaveLength(2);
  expect((await get('list?search=p7%40')).body.total).toBe(1);
  expect((await get('list?search=SIMONE')).body.total).toBe(22);
  expect((await get('list?search=%25')).body.total).toBe(0);
  const all = [...first.customers, ...(await get('list?page=2')).body.customers];
  // it may be midnight in between
  const days = new Set(all.map(({ signup_date }: { signup_date: string }) => signup_date.slice(0, 10)));
  let found = 0;
  for (const day of days) found += (await get(`list?search=${day}`)).body.total;
  expect(found).toBe(22);
  expect((await get('list?dateRange=2001-01-01_to_2001-01-31')).body.total).toBe(0);
});

it('exports what was found, harmless for a spreadsheet', async () => {
  const file = await get('export?search=p7%40');
  expect(file.headers.get('content-disposition')).toContain('customers.csv');
  const [head, row, ...rest] = file.text.trim().split('\n');
  expect(head).toBe('Signup Date,First Name,Last Name,Email,ID,Last Login,Product,Serial');
  expect(row).toContain(",Nina,Simone,'+p7@example.com,");
  expect(rest).toEqual([]);
});

describe('one customer', () => {
  const find = async (search: string) => (await get(`list?search=${search}`)).body.customers[0] as { id: string };

  it('is shown with serials, machines and activity, and handed over as a file', async () => {
    const key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body
      .plaintext;
    await call(server, 'POST', '/api/license/v1/activate', {
      token: key,
      body: { license_key: codes[3], machine_id: 'mac', version: '1.2' },
    });
    const { id } = await find('p3%40');
    const { body } = await get(id);
    expect(body).toMatchObject({ email: '+p3@example.com', total_spent: 30 });
    expect(body.serials[0]).toMatchObject({ code: codes[3], seats_used: 1, max_activations: 3, total: 30 });
    expect(body.machines[0]).toMatchObject({ machine_id: 'mac', version: '1.2', serial_code: codes[3] });
    expect(body.activity.map((event: { kind: string }) => event.kind)).toEqual(['activated', 'redeemed']);
    const file = await get(`${id}/data`);
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="customer-${id}.json"`);
    expect(file.body).toEqual((await get(id)).body);
    // the page shows the newest, the file leaves nothing out
    await server.db.query(
      `insert into activations (id, developer_id, serial_id, machine_id, created_at, last_seen_at, released_at)
       select gen_random_uuid(), developer_id, id, 'old-' || n, now(), now(), now() from serials, generate_series(1, 220) n
       where id = $1`,
      [body.serials[0].id],
    );
    const [shown, whole] = [(await get(id)).body, (await get(`${id}/data`)).body];
    expect([shown.machines.length, shown.activity.length]).toEqual([200, 200]);
    expect([whole.machines.length, whole.activity.length]).toEqual([221, 442]);
    // page by page it is the same
    const rest = [];
    let cursor: string | null = shown.activity_cursor;
    while (cursor) {
      const page: { rows: unknown[]; next_cursor: string | null } = (
        await get(`${id}/activity?limit=100&cursor=${cursor}`)
      ).body;
      rest.push(...page.rows);
      cursor = page.next_cursor;
    }
    expect([...shown.activity, ...rest]).toEqual(whole.activity);
    expect(whole.activity_cursor).toBeNull();
    expect((await get(`${id}/activity?kind=redeemed`)).body.rows.map(({ kind }: { kind: string }) => kind)).toEqual([
      'redeemed',
    ]);
    expect((await get(`${id}/activity?cursor=x`)).status).toBe(400);
    const erased = await call(server, 'DELETE', `/api/customers/${id}?dry_run=true`, { token: ada.token });
    expect(erased.body.machines_forgotten).toBe(220);
  });

  it('is erased for good; serials, figures and running licenses stay', async () => {
    const { id } = await find('p4%40');
    const erase = (query = '') => call(server, 'DELETE', `/api/customers/${id}${query}`, { token: ada.token });
    expect((await erase('?dry_run=true')).body).toMatchObject({ serials_kept: 1, dry_run: true });
    expect((await get(id)).body.email).toBe('+p4@example.com');
    expect((await erase()).body).toMatchObject({ message: 'Customer erased.', serials_kept: 1 });
    const { body } = await get(id);
    expect(body).toMatchObject({ email: '', first_name: null, last_name: null });
    expect(body.erased_at).not.toBeNull();
    expect((await get('list')).body.total).toBe(21);
    expect((await get('list?search=p4%40')).body.total).toBe(0);
    const everything = await server.db.query(
      "select 1 from customers c where developer_id = $1 and c::text like '%p4@example%'",
      [ada.id],
    );
    expect(everything).toEqual([]);
    // those without a developer, too
    const emails = await server.db.query(
      "select 1 from mails m where coalesce(developer_id, $1) = $1 and m::text like '%p4@example%'",
      [ada.id],
    );
    expect(emails).toEqual([]);
    // the old address opens nothing anymore, and may return as a new customer
    expect((await redeem(server, codes[4] as string, '+p4@example.com', ada.id)).status).toBe(409);
    expect((await redeem(server, codes[25] as string, '+p4@example.com', ada.id)).status).toBe(200);
    const totals = (await call(server, 'GET', '/api/analytics', { token: ada.token })).body.totals;
    expect(totals.redemptions).toBe(23);
  });

  it('is erased from the log of sent email, however the address was written there', async () => {
    await redeem(server, codes[26] as string, 'jö@münchen.de', ada.id);
    await redeem(server, codes[27] as string, 'JÖ@xn--mnchen-3ya.de', ada.id);
    const sent = () =>
      server.db.query("select 1 from mails where developer_id = $1 and recipient ~* 'mnchen|münchen'", [ada.id]);
    expect(await sent()).toHaveLength(2);
    const { id } = await find(encodeURIComponent('jö@münchen'));
    expect((await call(server, 'DELETE', `/api/customers/${id}`, { token: ada.token })).status).toBe(200);
    expect(await sent()).toEqual([]);
  });
});
