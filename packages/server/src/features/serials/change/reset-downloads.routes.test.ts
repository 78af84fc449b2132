import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { setPlan } from '@tonerow/test-support/plans.ts';
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

describe('the download count', () => {
  const refresh = (id: string) => call(server, 'PATCH', `/api/serials/refresh/${id}`, { token: ada.token });

  it('is set back at the plan’s price, once, and opens the downloads again', async () => {
    const [serial] = await makeSerials(server, ada.token, product.id);
    const id = serial?.id as string;
    await download(serial?.code as string, 'n@example.com');
    await server.db.query('update serials set download_count = 5 where id = $1', [id]);
    expect((await get(`/api/serials/${id}`)).body.download_count).toBe(5);
    expect((await refresh(id)).body).toMatchObject({ download_count: 0, refresh_cost: 0 });
    await setPlan(server.db, { plan: 'creator', accountId: ada.id });
    await download(serial?.code as string, 'n@example.com');
    const both = await Promise.all([refresh(id), refresh(id)]);
    expect(both.map(({ body }) => body.refresh_cost).sort()).toEqual([0, 0.05]);
    const charges = await server.db.query('select plan, cost_cents from refresh_charges where developer_id = $1', [
      ada.id,
    ]);
    expect(charges).toEqual([
      { plan: 'free', cost_cents: 0 },
      { plan: 'creator', cost_cents: 5 },
    ]);
  });
});
