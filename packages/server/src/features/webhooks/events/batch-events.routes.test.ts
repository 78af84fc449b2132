import { call, makeProduct, makeSerials, type Person, redeem, signUpVerified } from '@tonerow/test-support/http.ts';
import { importCalls } from '@tonerow/test-support/import-calls.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { catalog, type EventType } from './catalog.ts';

let server: SharedServer;
let ada: Person;
let product: { id: string; name: string };

beforeAll(async () => {
  server = await sharedServer();
});
beforeEach(async () => {
  ada = await signUpVerified(server);
  product = await makeProduct(server, ada.token);
  await call(server, 'POST', '/api/webhook-listeners', { token: ada.token, body: { events: ['*'] } });
});

const recorded = async (type: EventType) =>
  (
    await server.db.query<{ data: string }>(
      'select data from webhook_events where developer_id = $1 and type = $2 order by xid, id',
      [ada.id, type],
    )
  ).map(({ data }) => {
    const event = JSON.parse(data);
    // it is stored as the contract shows it
    z.decode(catalog[type].data.strict(), event);
    return event;
  });

describe('a product that is deleted by force', () => {
  const remove = (query: string) => call(server, 'DELETE', `/api/products/${product.id}${query}`, { token: ada.token });

  it('reports the revoked serials once for each of its batches, and writes their history', async () => {
    const sold: string[] = [];
    for (const batch_tag of ['spring', 'summer']) {
      const serials = await makeSerials(server, ada.token, product.id, { quantity: 4, batch_tag });
      const redeemed = serials.slice(0, batch_tag === 'spring' ? 2 : 1);
      for (const { code } of redeemed)
        expect((await redeem(server, code, 'nina@example.com', ada.id)).status).toBe(200);
      sold.push(...redeemed.map(({ id }) => id));
    }
    // nothing happens to a batch of which nothing was sold, nor by a rehearsal
    await makeSerials(server, ada.token, product.id, { quantity: 4, batch_tag: 'autumn' });
    expect((await remove('?force=true&dry_run=true')).body).toMatchObject({ serials_revoked: 3 });
    expect(await recorded('batch.revoked')).toEqual([]);
    expect((await remove('?force=true')).body).toMatchObject({ serials_deleted: 9, serials_revoked: 3 });
    const batches = await server.db.query<{ id: string; batch_tag: string }>(
      'select id, batch_tag from batches where developer_id = $1',
      [ada.id],
    );
    const batchId = (tag: string) => batches.find(({ batch_tag }) => batch_tag === tag)?.id;
    const events = await recorded('batch.revoked');
    expect(events).toHaveLength(2);
    expect(events).toEqual(
      expect.arrayContaining([
        { batch_id: batchId('spring'), product_id: product.id, quantity: 2 },
        { batch_id: batchId('summer'), product_id: product.id, quantity: 1 },
      ]),
    );
    expect(await recorded('serial.revoked')).toEqual([]);
    for (const id of sold) {
      const { history } = (await call(server, 'GET', `/api/serials/${id}`, { token: ada.token })).body;
      expect(history.filter(({ kind }: { kind: string }) => kind === 'revoked')).toHaveLength(1);
    }
  });

  it('reports no serials that were revoked before', async () => {
    const [serial] = await makeSerials(server, ada.token, product.id, { quantity: 1 });
    await redeem(server, serial?.code as string, 'nina@example.com', ada.id);
    const one = await call(server, 'PATCH', `/api/serials/revoke/${serial?.id}`, { token: ada.token });
    expect(one.status, one.text).toBe(200);
    expect((await remove('?force=true')).body).toMatchObject({ serials_revoked: 0 });
    expect(await recorded('batch.revoked')).toEqual([]);
  });
});

describe('an import', () => {
  const { send } = importCalls(() => ({ server, ada }));
  const ofBatches = () =>
    server.db.query<{ batch_id: string; product_id: string; partnership_id: string | null; quantity: number }>(
      'select id as batch_id, product_id, partnership_id, quantity, batch_tag from batches where developer_id = $1',
      [ada.id],
    );

  it('reports each batch that it makes, and nothing for a rehearsal or a repeat', async () => {
    const available = `Serial,Product,Batch Tag\nSOLD-1,${product.name},spring\nSOLD-2,${product.name},spring\nSOLD-3,${product.name},\n`;
    const redeemed = `Serial,Product,Email,Reseller\nELSE-1,${product.name},nina@example.com,Plugin Shop\nSOLD-3,${product.name},jo@example.com,\n`;
    for (const [kind, csv] of [
      ['available', available],
      ['redeemed', redeemed],
    ] as const) {
      const before = (await recorded('batch.generated')).length;
      expect((await send(kind, csv, '?dry_run=true')).status).toBe(200);
      expect(await recorded('batch.generated')).toHaveLength(before);
      for (const _ of [1, 2]) expect((await send(kind, csv)).status).toBeLessThan(300);
    }
    const batches = await ofBatches();
    expect(batches.map(({ quantity }) => quantity).sort()).toEqual([1, 1, 2]);
    const events = await recorded('batch.generated');
    expect(events).toHaveLength(3);
    expect(events).toEqual(expect.arrayContaining(batches));
  });

  it('that makes more than a thousand batches is told of as a whole', async () => {
    const file = (from: number, lines: number) =>
      `Serial,Product,Notes\n${Array.from({ length: lines }, (_, i) => `MANY-${from + i},${product.name},${from + i}\n`).join('')}`;
    expect((await send('available', file(0, 1000))).status).toBeLessThan(300);
    expect(await recorded('batch.generated')).toHaveLength(1000);
    expect((await send('available', file(1000, 1001))).status).toBeLessThan(300);
    expect(await recorded('batch.generated')).toHaveLength(1000);
    expect(await recorded('import.finished')).toHaveLength(2);
  });
});

describe('a batch that is revoked', () => {
  const post = async (path: string, body: object = {}) => {
    const answer = await call(server, 'POST', path, { token: ada.token, body });
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };

  it('is told of once when that is undone, and once when the undoing is undone', async () => {
    const serials = await makeSerials(server, ada.token, product.id, { quantity: 6 });
    const [{ batch_id = '' } = {}] = await recorded('batch.generated');
    const [first] = serials;
    const gone = await post(`/api/batches/${batch_id}/revoke`);
    // one that was decided again meanwhile stays out of it
    for (const way of ['reassign', 'revoke'])
      await call(server, 'PATCH', `/api/serials/${way}/${first?.id}`, { token: ada.token });
    const before = (await recorded('serial.reassigned')).length;
    const data = { batch_id, product_id: product.id };
    await post('/api/serials/undo', { changed_at: gone.changed_at, dry_run: true });
    expect(await recorded('batch.reassigned')).toEqual([]);
    const back = await post('/api/serials/undo', { changed_at: gone.changed_at });
    expect(back).toMatchObject({ count: 5, skipped: 1 });
    expect(await recorded('batch.reassigned')).toEqual([{ ...data, quantity: 5 }]);
    expect(await post('/api/serials/undo', { changed_at: back.changed_at })).toMatchObject({ count: 5, skipped: 0 });
    expect(await recorded('batch.revoked')).toEqual([
      { ...data, quantity: 6 },
      { ...data, quantity: 5 },
    ]);
    expect(await recorded('serial.reassigned')).toHaveLength(before);
    const { history } = (await call(server, 'GET', `/api/serials/${serials[1]?.id}`, { token: ada.token })).body;
    expect(history.map(({ kind, detail }: { kind: string; detail: string }) => [kind, detail])).toEqual([
      ['revoked', null],
      ['reassigned', null],
      ['revoked', null],
      ['made', 'generate'],
    ]);
  });

  it('serial by serial is told of serial by serial when that is undone', async () => {
    const ids = (await makeSerials(server, ada.token, product.id, { quantity: 3 })).map(({ id }) => id);
    const gone = await post('/api/serials/bulk', { action: 'revoke', ids });
    await post('/api/serials/undo', { changed_at: gone.changed_at });
    expect((await recorded('serial.reassigned')).map(({ serial_id }) => serial_id).sort()).toEqual(ids.sort());
    expect(await recorded('batch.reassigned')).toEqual([]);
  });
});
