import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
let product: { id: string; name: string };
beforeAll(async () => {
  server = await sharedServer();
});
beforeEach(async () => {
  ada = await signUp(server);
  product = await makeProduct(server, ada.token, {
    name: 'Delay',
    price: 30,
    file_urls: [{ name: 'Mac', url: 'https://example.com/a.dmg' }],
  });
});

const get = (path: string, headers: Record<string, string> = {}) =>
  call(server, 'GET', path, { token: ada.token, headers });

async function download(code: string, email: string) {
  const opened = await redeem(server, code, email, ada.id);
  const link = new URL(opened.body.products[0].files[0].url);
  await call(server, 'GET', link.pathname + link.search);
}

/** A list from a place on, or from its beginning. */
// biome-ignore lint/suspicious/noExplicitAny: rows of every shape
async function everyPage(path: string, from: string | null = ''): Promise<any[]> {
  const rows = [];
  for (let cursor = from; cursor !== null; ) {
    const page: { rows: unknown[]; next_cursor: string | null } = (
      await get(`${path}?limit=7${cursor && `&cursor=${cursor}`}`)
    ).body;
    rows.push(...page.rows);
    cursor = page.next_cursor;
  }
  return rows;
}

describe('one serial', () => {
  it('returns its whole history', async () => {
    const [serial] = await makeSerials(server, ada.token, product.id, { new_reseller_name: 'Shop', batch_tag: 'T' });
    const id = serial?.id as string;
    await download(serial?.code as string, 'n@example.com');
    for (const action of ['revoke', 'revoke', 'reassign', 'refresh'])
      await call(server, 'PATCH', `/api/serials/${action}/${id}`, { token: ada.token });
    const key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body
      .plaintext;
    const machine = { license_key: serial?.code, machine_id: 'studio-mac' };
    await call(server, 'POST', '/api/license/v1/activate', { token: key, body: machine });
    await call(server, 'POST', '/api/license/v1/deactivate', { token: key, body: machine });
    const { body } = await get(`/api/serials/${id}`);
    expect(body.history.map((event: { kind: string }) => event.kind)).toEqual([
      'released',
      'activated',
      'refreshed',
      'reassigned',
      'revoked',
      'downloaded',
      'redeemed',
      'given',
      'made',
    ]);
    expect(body.history.find((event: { kind: string }) => event.kind === 'downloaded').detail).toBe('Mac');
    expect(body).toMatchObject({
      reseller_name: 'Shop',
      seats_used: 0,
      max_activations: 3,
      final_price: 30,
      batch_tag: 'T',
    });
    expect(body.customer).toMatchObject({ email: 'n@example.com', first_name: 'Nina' });
    expect(body.machines[0]).toMatchObject({ machine_id: 'studio-mac' });
    expect([body.history_cursor, body.machines_cursor]).toEqual([null, null]);
    expect(await everyPage(`/api/serials/${id}/history`)).toEqual(body.history);
  });

  it('has as many machines and entries of its history as there are, page by page', async () => {
    const [serial] = await makeSerials(server, ada.token, product.id, { quantity: 1 });
    const id = serial?.id as string;
    await server.db.query(
      `insert into activations (id, developer_id, serial_id, machine_id, created_at, last_seen_at, released_at)
       select gen_random_uuid(), developer_id, id, 'machine-' || n, now(), now() - interval '1 hour' * (n / 2),
         case when n % 3 = 0 then now() end from serials, generate_series(1, 260) n where id = $1`,
      [id],
    );
    const { body } = await get(`/api/serials/${id}`);
    expect([body.machines.length, body.history.length]).toEqual([200, 200]);
    const machines = [...body.machines, ...(await everyPage(`/api/serials/${id}/machines`, body.machines_cursor))];
    expect(new Set(machines.map((each) => each.machine_id)).size).toBe(260);
    expect(machines).toEqual(await everyPage(`/api/serials/${id}/machines`));
    const held = machines.map((each) => each.released_at === null);
    expect(held).toEqual([...held].sort().reverse());
    const history = [...body.history, ...(await everyPage(`/api/serials/${id}/history`, body.history_cursor))];
    expect(history).toHaveLength(260 + 86 + 1);
    expect(history).toEqual(await everyPage(`/api/serials/${id}/history`));
  });
});
