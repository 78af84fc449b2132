import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { lockWith } from '@tonerow/test-support/lock-with.ts';
import { makePartners } from '@tonerow/test-support/partners.ts';
import { type SharedServer, sharedServer, startServer } from '@tonerow/test-support/server.ts';
import { afterEach, beforeEach, describe, expect, it, type Mock, onTestFinished, vi } from 'vitest';
import { Events } from '#platform/events.ts';
import { createClient, type LiveEvent, watchEvents } from '../../../../sdk/src/index.ts';

let server: SharedServer;
let ada: Person;
const watchers: AbortController[] = [];
beforeEach(async () => {
  server = await sharedServer();
  ada = await signUp(server);
});
afterEach(async () => {
  for (const watcher of watchers.splice(0)) watcher.abort();
});

/** Collects what a listener receives, once its stream is established. */
async function listen(at: { url: string }, token: string, since: { fetchedAt?: number } = {}) {
  const controller = new AbortController();
  watchers.push(controller);
  const heard: LiveEvent[] = [];
  const waiting: { fits: (event: LiveEvent) => boolean; resolve: (event: LiveEvent) => void }[] = [];
  await new Promise<void>((open, reject) => {
    const run = async () => {
      const api = createClient({ baseUrl: at.url, token });
      const onState = (state: string) => state === 'open' && open();
      for await (const event of watchEvents(api, { signal: controller.signal, onState, ...since })) {
        heard.push(event);
        for (const one of waiting) if (one.fits(event)) one.resolve(event);
      }
    };
    run().catch(reject);
  });
  return {
    heard,
    until: (fits: (event: LiveEvent) => boolean) =>
      new Promise<LiveEvent>((resolve) => {
        const known = heard.find(fits);
        if (known) resolve(known);
        else waiting.push({ fits, resolve });
      }),
  };
}

describe('live events', () => {
  it('reach every process on the database, and no other account', async () => {
    const second = await startServer({ db: server.db });
    const stranger = await signUp(server);
    const [here, there, elsewhere] = [
      await listen(server, ada.token),
      await listen(second, ada.token),
      await listen(server, stranger.token),
    ];
    const product = await makeProduct(server, ada.token, { name: 'Delay', price: 30 });
    const [serial] = await makeSerials(server, ada.token, product.id, { quantity: 30 });
    await redeem(second, serial?.code as string, 'nina@example.com', ada.id);
    for (const listener of [here, there]) {
      const { data } = await listener.until((event) => event.type === 'redemption');
      expect(data).toMatchObject({ serial: serial?.code, product_name: 'Delay', email: 'nina@example.com', total: 30 });
    }
    const form = new FormData();
    form.append('file', new Blob(['Email\na@example.com\n']), 'a.csv');
    await call(server, 'POST', '/api/customers/import', { token: ada.token, body: form });
    const done = await there.until((event) => event.type === 'import' && event.data.state === 'complete');
    expect(done.data).toMatchObject({ kind: 'customers', count: 1, rejected: 0 });
    expect(elsewhere.heard).toEqual([]);
    for (const watcher of watchers.splice(0)) watcher.abort();
    await second.stop();
  });

  it('listen to no answer so often that Node takes it for a leak', async () => {
    const warned = vi.fn<(warning: Error) => void>();
    process.on('warning', warned);
    onTestFinished(() => void process.off('warning', warned));
    await listen(server, ada.token);
    expect(warned.mock.calls).toEqual([]);
  });

  it('report once that a product runs low, and again only after it was restocked', async () => {
    await call(server, 'PUT', '/api/account/settings', { token: ada.token, body: { low_serials_threshold: 3 } });
    const product = await makeProduct(server, ada.token, { name: 'Delay' });
    const serials = await makeSerials(server, ada.token, product.id, { quantity: 4 });
    const { heard, until } = await listen(server, ada.token);
    const low = () => heard.filter((event) => event.type === 'low_serials');
    const take = async (code: string) => {
      await redeem(server, code, 'nina@example.com', ada.id);
      await until((event) => event.type === 'redemption' && event.data.serial === code);
    };
    await take(serials[0]?.code as string);
    expect(low()).toEqual([]);
    await take(serials[1]?.code as string);
    const { data } = await until((event) => event.type === 'low_serials');
    expect(data).toMatchObject({ product_name: 'Delay', serials_available: 2, threshold: 3 });
    await take(serials[2]?.code as string);
    expect(low()).toHaveLength(1);
    const more = await makeSerials(server, ada.token, product.id, { quantity: 2 });
    await take(more[0]?.code as string);
    await until((event) => event.type === 'low_serials' && event !== low()[0]);
    expect(low()).toHaveLength(2);
  });

  it.each([
    ['runs low', 10],
    ['is plenty', 0],
  ])(
    'show both partners what a shop drew, returned and took, and the reseller what is redeemed and refunded, of a stock that %s',
    async (_, threshold) => {
      const { developer, reseller, partnershipId } = await makePartners(server, 10);
      await server.db.query('update users set low_serials_threshold = $2 where id = $1', [developer.id, threshold]);
      const [maker, shop] = [await listen(server, developer.token), await listen(server, reseller.token)];
      const product = await makeProduct(server, developer.token, { name: 'Delay', price: 30 });
      await makeSerials(server, developer.token, product.id, { quantity: 4, reseller_id: partnershipId });
      const token = reseller.token;
      const draw = (reference: string, quantity: number) =>
        call(server, 'POST', '/api/reseller/serials/draw', {
          token,
          body: { product_id: product.id, reference, quantity },
        });
      const { body } = await draw('one', 3);
      // the same again, and more than there are: nothing moves
      await draw('one', 3);
      expect((await draw('two', 2)).status).toBe(409);
      const [sold, ...rest] = body.codes;
      await redeem(server, sold, 'nina@example.com', developer.id);
      const giveBack = () =>
        call(server, 'POST', '/api/reseller/serials/draws/one/return', { token, body: { codes: rest } });
      await giveBack();
      await giveBack();
      await call(server, 'GET', `/api/reseller/download-serials?product_id=${product.id}`, { token });
      // it is noted once the file has left, which may be after its last byte was read
      await shop.until((event) => event.type === 'stock' && event.data.change === 'downloaded');
      const { rows } = (await call(server, 'GET', `/api/serials?search=${sold}`, { token: developer.token })).body;
      const refund = { token: developer.token, body: { reason: 'Bought twice' } };
      expect((await call(server, 'POST', `/api/serials/${rows[0].id}/refund`, refund)).status).toBe(201);
      const about = { developer_id: developer.id, product_id: product.id };
      const moved = (change: string, codes: number) => ({
        type: 'stock',
        data: { change, ...about, reseller_id: partnershipId, codes },
      });
      const sale = (kind: string, commission_earned: number) => ({
        type: 'sale',
        data: { kind, ...about, product_name: 'Delay', commission_earned },
      });
      const stock = [moved('handed_out', 3), moved('returned', 2), moved('downloaded', 3)];
      await shop.until((event) => event.type === 'sale' && event.data.kind === 'refund');
      await maker.until((event) => event.type === 'refund');
      expect(shop.heard).toEqual([stock[0], sale('redemption', 3), stock[1], stock[2], sale('refund', -3)]);
      expect(maker.heard.filter((event) => event.type === 'stock')).toEqual(stock);
      expect(maker.heard.some((event) => event.type === 'sale')).toBe(false);
    },
  );

  it('begin with a notice where something happened since the lists were fetched', async () => {
    const fetchedAt = performance.now();
    const before = await listen(server, ada.token);
    const product = await makeProduct(server, ada.token);
    const [serial] = await makeSerials(server, ada.token, product.id);
    await redeem(server, serial?.code as string, 'nina@example.com', ada.id);
    await before.until((event) => event.type === 'redemption');
    const { until } = await listen(server, ada.token, { fetchedAt });
    await until((event) => event.type === 'resync');
    expect(before.heard.filter(({ type }) => type === 'resync')).toEqual([]);
  });

  it('release a listener that left before its stream was established', async () => {
    const stops: Mock[] = [];
    const { subscribe } = Events.prototype;
    const spy = vi.spyOn(Events.prototype, 'subscribe').mockImplementation(function (this: Events<never>, ...listener) {
      stops.push(vi.fn(subscribe.apply(this, listener)));
      return stops.at(-1) as () => void;
    });
    onTestFinished(() => spy.mockRestore());
    const lock = await lockWith(server.db, 'lock table sessions');
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${ada.token}` };
    const asked = fetch(`${server.url}/api/events`, { headers, signal: leaving.signal }).catch(() => undefined);
    await lock.untilWaiting(1);
    leaving.abort();
    await asked;
    // a later call is answered later: the server has noticed by then that the listener left
    await call(server, 'GET', '/livez');
    await lock.release();
    await vi.waitFor(() => expect(stops).toHaveLength(1), { timeout: 20_000 });
    await vi.waitFor(() => expect(stops[0]).toHaveBeenCalled(), { timeout: 20_000 });
  });

  it('resume after the database dropped the connection, with a notice that some may be missing', async () => {
    const { until } = await listen(server, ada.token);
    await server.db.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'tonerow-live'",
    );
    await until((event) => event.type === 'resync');
    const product = await makeProduct(server, ada.token);
    const [serial] = await makeSerials(server, ada.token, product.id);
    await redeem(server, serial?.code as string, 'nina@example.com', ada.id);
    expect((await until((event) => event.type === 'redemption')).data).toMatchObject({ serial: serial?.code });
  });
});
