import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
let product: { id: string };
beforeAll(async () => {
  server = await sharedServer();
});
beforeEach(async () => {
  ada = await signUp(server);
  product = await makeProduct(server, ada.token);
});

const get = (path: string) => call(server, 'GET', path, { token: ada.token });

describe('many at once', () => {
  it('are revoked, reassigned and deleted; what is so already or redeemed is skipped', async () => {
    const serials = await makeSerials(server, ada.token, product.id, { quantity: 4 });
    const ids = serials.map((serial) => serial.id);
    await redeem(server, serials[0]?.code as string, 'n@example.com', ada.id);
    const bulk = async (action: string, more: object = {}) =>
      (await call(server, 'POST', '/api/serials/bulk', { token: ada.token, body: { action, ids, ...more } })).body;
    expect(await bulk('revoke', { dry_run: true })).toEqual({ count: 4, skipped: 0, dry_run: true });
    expect(await bulk('revoke')).toEqual({ count: 4, skipped: 0, dry_run: false, changed_at: expect.any(String) });
    expect(await bulk('revoke')).toEqual({ count: 0, skipped: 4, dry_run: false });
    expect(await bulk('reassign')).toMatchObject({ count: 4 });
    expect(await bulk('delete')).toEqual({ count: 3, skipped: 1, dry_run: false });
    const stranger = await signUp(server);
    const stolen = await call(server, 'POST', '/api/serials/bulk', {
      token: stranger.token,
      body: { action: 'revoke', ids },
    });
    expect(stolen.body).toEqual({ count: 0, skipped: 4, dry_run: false });
    expect((await get(`/api/serials/${ids[0]}`)).body.revoked).toBe(false);
  });
});

describe('a change of many, taken back', () => {
  it('is about exactly the serials that it changed, unless they were changed again', async () => {
    const post = async (path: string, body?: object, token = ada.token) => {
      const answer = await call(server, 'POST', path, { token, ...(body ? { body } : {}) });
      expect(answer.status, answer.text).toBe(200);
      return answer.body;
    };
    const serials = await makeSerials(server, ada.token, product.id, { quantity: 5, batch_tag: 'Undo' });
    const [first, second, third] = serials.map(({ id }) => id);
    const [batch] = (await get('/api/batches?search=undo')).body.rows;
    const revoked = async () =>
      (await get(`/api/serials?batch_id=${batch.id}`)).body.rows.filter((row: { revoked: boolean }) => row.revoked)
        .length;
    const filter = { batch: batch.id };
    await call(server, 'PATCH', `/api/serials/revoke/${first}`, { token: ada.token });
    const all = await post('/api/serials/change', { action: 'revoke', filter });
    expect(all).toMatchObject({ count: 4, skipped: 1 });
    expect(await post('/api/serials/undo', { changed_at: all.changed_at, dry_run: true })).toEqual({
      count: 4,
      skipped: 0,
      dry_run: true,
    });
    expect(await revoked()).toBe(5);
    // one of them was decided again meanwhile
    for (const way of ['reassign', 'revoke']) {
      await call(server, 'PATCH', `/api/serials/${way}/${second}`, { token: ada.token });
    }
    const stranger = await signUp(server);
    expect(await post('/api/serials/undo', { changed_at: all.changed_at }, stranger.token)).toMatchObject({ count: 0 });
    const back = await post('/api/serials/undo', { changed_at: all.changed_at });
    expect(back).toEqual({ count: 3, skipped: 1, dry_run: false, changed_at: expect.any(String) });
    expect(await revoked()).toBe(2);
    expect((await get(`/api/serials/${third}`)).body.revoked).toBe(false);
    // the undoing can be undone too, once
    expect(await post('/api/serials/undo', { changed_at: back.changed_at })).toMatchObject({ count: 3 });
    expect(await post('/api/serials/undo', { changed_at: back.changed_at })).toEqual({
      count: 0,
      skipped: 3,
      dry_run: false,
    });
    await post('/api/serials/bulk', { action: 'reassign', ids: serials.map(({ id }) => id) });
    const rest = await post(`/api/batches/${batch.id}/revoke`);
    expect(rest.count).toBe(5);
    expect(await post('/api/serials/undo', { changed_at: rest.changed_at })).toMatchObject({ count: 5, skipped: 0 });
    expect(await revoked()).toBe(0);
  });

  it('is nothing at a moment without a change, and needs one that is a date', async () => {
    const undo = (body: object) => call(server, 'POST', '/api/serials/undo', { token: ada.token, body });
    expect((await undo({ changed_at: '2020-01-01T00:00:00.000Z' })).body).toEqual({
      count: 0,
      skipped: 0,
      dry_run: false,
    });
    expect((await undo({ changed_at: 'yesterday' })).status).toBe(400);
    expect((await undo({})).status).toBe(400);
  });
});
