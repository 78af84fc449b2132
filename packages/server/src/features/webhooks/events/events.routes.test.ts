import { call, makeProduct, makeSerials, type Person, redeem, signUpVerified } from '@tonerow/test-support/http.ts';
import { insist } from '@tonerow/test-support/insist.ts';
import { connectPartners, makePartners } from '@tonerow/test-support/partners.ts';
import { setPlan } from '@tonerow/test-support/plans.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { DownloadProofs } from '../../customers/proofs.ts';
import { catalog, type EventType, eventTypes } from './catalog.ts';
import { samples } from './samples.ts';

let server: TestServer;
let ada: Person;
let shop: Person;
let partnershipId: string;

beforeAll(async () => {
  server = await startServer({ env: { TONEROW_WEBHOOK_ALLOW: '127.0.0.0/8' } });
  ({ developer: ada, reseller: shop, partnershipId } = await makePartners(server));
  for (const { token } of [ada, shop])
    await call(server, 'POST', '/api/webhook-listeners', { token, body: { events: ['*'] } });
});
afterAll(() => server.stop());

const recorded = async (type: EventType, person = ada) =>
  (
    await server.db.query<{ data: string }>(
      'select data from webhook_events where developer_id = $1 and type = $2 order by xid, id',
      [person.id, type],
    )
  ).map(({ data }) => {
    const event = JSON.parse(data);
    // it is stored as the contract shows it
    z.decode(catalog[type].data, event);
    return event;
  });

const customers = async () =>
  (await server.db.query<{ id: string }>('select id from customers where developer_id = $1', [ada.id])).map(
    ({ id }) => id,
  );

describe('an event', () => {
  it.each(eventTypes)('has a sample that its schema allows: %s', (type) => {
    expect(() => z.decode(catalog[type].data.strict(), samples[type] as never)).not.toThrow();
    expect(JSON.stringify(samples[type]).length).toBeLessThan(20_000);
  });

  it('is written for batches, and for changes of serials', async () => {
    const product = await makeProduct(server, ada.token);
    const serials = await makeSerials(server, ada.token, product.id, { quantity: 3 });
    expect((await recorded('batch.generated')).at(-1)).toMatchObject({ product_id: product.id, quantity: 3 });
    const [one, two, three] = serials as [{ id: string; code: string }, { id: string }, { id: string }];
    for (const _ of [1, 2])
      expect((await call(server, 'PATCH', `/api/serials/revoke/${one.id}`, { token: ada.token })).status).toBe(200);
    const body = { action: 'revoke', ids: [one.id, two.id, three.id] };
    const bulk = await call(server, 'POST', '/api/serials/bulk', { token: ada.token, body });
    expect(bulk.status, bulk.text).toBeLessThan(300);
    const revoked = await recorded('serial.revoked');
    expect(revoked.map(({ serial_id }) => serial_id).sort()).toEqual([one.id, two.id, three.id].sort());
  });

  it('is written once for each of many redemptions at once, and for the reseller without the customer', async () => {
    const product = await makeProduct(server, ada.token);
    const serials = await makeSerials(server, ada.token, product.id, { quantity: 8, reseller_id: partnershipId });
    const before = await customers();
    await Promise.all(
      serials.flatMap(({ code }, n) =>
        // two people want each of them
        Array.from({ length: 6 }, (_, i) =>
          insist(() => redeem(server, code, `${i % 2 ? 'nina' : 'otis'}${n}@example.com`, ada.id)),
        ),
      ),
    );
    const redemptions = await server.db.query('select 1 from redemptions where product_id = $1', [product.id]);
    expect(redemptions).toHaveLength(8);
    // people who came too late are not customers, and no event reports one
    const now = await customers();
    expect(now.length - before.length).toBe(8);
    expect((await recorded('customer.created')).map(({ customer_id }) => customer_id).sort()).toEqual(now.sort());
    const of = (events: { product_id: string; serial_id: string }[]) =>
      events.filter(({ product_id }) => product_id === product.id).map(({ serial_id }) => serial_id);
    const ids = serials.map(({ id }) => id).sort();
    expect(of(await recorded('serial.redeemed')).sort()).toEqual(ids);
    const own = await recorded('serial.redeemed', shop);
    expect(of(own).sort()).toEqual(ids);
    expect(own.every(({ customer_id }) => customer_id === null)).toBe(true);
    // as the sample shows it
    const { types } = (await call(server, 'GET', '/api/webhook-event-types', { token: shop.token })).body;
    const { sample } = types.find(({ type }: { type: string }) => type === 'serial.redeemed');
    expect(Object.keys(sample).sort()).toEqual(Object.keys(own[0]).sort());
    expect(sample).toMatchObject({ customer_id: null, partnership_id: expect.any(String) });
    expect(
      await server.db.query('select 1 from webhook_events where developer_id = $1 and personal is not null', [shop.id]),
    ).toEqual([]);
  });

  it('is written once for each of forty serials that are redeemed a thousand times, a hundred at once', async () => {
    await setPlan(server.db, { plan: 'elite', accountId: ada.id });
    const product = await makeProduct(server, ada.token);
    const serials = await makeSerials(server, ada.token, product.id, { quantity: 40, reseller_id: partnershipId });
    const people = serials.flatMap((_, n) => [`race-${n}-a@example.com`, `race-${n}-b@example.com`]);
    // known by name, a person redeems with one call
    const form = new FormData();
    form.set(
      'file',
      new Blob(['Email,First Name,Last Name\n', ...people.map((email) => `${email},Mara,L\n`)]),
      'fans.csv',
    );
    const imported = await call(server, 'POST', '/api/customers/import', { token: ada.token, body: form });
    expect(imported.body, imported.text).toMatchObject({ count: 80 });
    const answers: Record<number, number> = {};
    for (let from = 0; from < 40; from += 4) {
      const calls = serials.slice(from, from + 4).flatMap(({ code: serial }, n) =>
        Array.from({ length: 25 }, (_, i) => {
          const body = { serial, email: people[2 * (from + n) + (i % 2)], dev: ada.id };
          return insist(() => call(server, 'POST', '/api/redeem/initiate', { body }));
        }),
      );
      for (const { status } of await Promise.all(calls)) answers[status] = (answers[status] ?? 0) + 1;
    }
    // the owner opens what is redeemed, however often, and the other one is refused
    expect(Object.keys(answers)).toEqual(['200', '409']);
    expect((answers[200] ?? 0) + (answers[409] ?? 0)).toBe(1000);
    const ids = serials.map(({ id }) => id).sort();
    for (const person of [ada, shop]) {
      const events = (await recorded('serial.redeemed', person)).filter((event) => event.product_id === product.id);
      expect(events.map(({ serial_id }) => serial_id).sort()).toEqual(ids);
    }
  }, 180_000);

  it('is not kept of what is undone after it was written', async () => {
    const product = await makeProduct(server, ada.token);
    const [serial] = await makeSerials(server, ada.token, product.id, { quantity: 1, reseller_id: partnershipId });
    const redemption = () => redeem(server, serial?.code as string, 'late@example.com', ada.id);
    const about = async () => {
      const redeemed = [await recorded('serial.redeemed'), await recorded('serial.redeemed', shop)];
      return {
        serials: redeemed.map((events) => events.filter(({ serial_id }) => serial_id === serial?.id).length),
        customers: (await recorded('customer.created')).length,
      };
    };
    const before = await about();
    // this comes after both sides were notified, for the email to the customer
    const sign = vi.spyOn(DownloadProofs.prototype, 'signEmailed').mockImplementationOnce(() => {
      throw new Error('no proof');
    });
    onTestFinished(() => sign.mockRestore());
    expect((await redemption()).status).toBe(500);
    expect(sign).toHaveBeenCalledOnce();
    expect(await about()).toEqual({ ...before, serials: [0, 0] });
    expect((await redemption()).status).toBe(200);
    expect(await about()).toEqual({ serials: [1, 1], customers: before.customers + 1 });
  });

  it('is not written of the customer whose redemption was refused because the quota was reached', async () => {
    const bea = await signUpVerified(server);
    await call(server, 'POST', '/api/webhook-listeners', { token: bea.token, body: { events: ['*'] } });
    const product = await makeProduct(server, bea.token);
    const serials = await makeSerials(server, bea.token, product.id, { quantity: 2 });
    const codes = serials.map(({ code }) => code) as [string, string];
    expect((await redeem(server, codes[0], 'first@example.com', bea.id)).status).toBe(200);
    await server.db.query('update usage_months set redemptions = 50 where developer_id = $1', [bea.id]);
    expect((await redeem(server, codes[1], 'second@example.com', bea.id)).body.code).toBe('quota_reached');
    expect(await recorded('customer.created', bea)).toHaveLength(1);
    expect(await recorded('serial.redeemed', bea)).toMatchObject([{ serial_id: serials[0]?.id }]);
  });

  it('is written once for a file that was uploaded, when all of it is there', async () => {
    const content = 'a whole plugin';
    const { id } = (
      await call(server, 'POST', '/api/files', {
        token: ada.token,
        body: { name: 'Großer Hall 🎹.zip', size: content.length },
      })
    ).body;
    const finish = () =>
      call(server, 'PATCH', `/api/files/${id}`, {
        token: ada.token,
        body: content,
        headers: { 'content-type': 'application/octet-stream', 'upload-offset': '0' },
      });
    expect(await recorded('file.uploaded')).toEqual([]);
    expect((await finish()).body).toMatchObject({ complete: true });
    await finish();
    expect(await recorded('file.uploaded')).toEqual([
      { file_id: id, name: 'Großer Hall 🎹.zip', size: content.length },
    ]);
  });

  it('is written for both sides when an invitation is accepted', async () => {
    const [dora, outlet] = [await signUpVerified(server), await signUpVerified(server, 'reseller')];
    for (const { token } of [dora, outlet])
      await call(server, 'POST', '/api/webhook-listeners', { token, body: { events: ['partnership.*'] } });
    const partnership_id = await connectPartners(server, dora, outlet);
    const accepted = { partnership_id, developer_id: dora.id, reseller_id: outlet.id };
    for (const person of [dora, outlet]) expect(await recorded('partnership.accepted', person)).toEqual([accepted]);
  });

  it('is not written for a terminal that has stopped listening', async () => {
    const dora = await signUpVerified(server);
    const listener = await call(server, 'POST', '/api/webhook-listeners', {
      token: dora.token,
      body: { events: ['*'] },
    });
    await makeProduct(server, dora.token);
    expect(await recorded('product.published', dora)).toHaveLength(1);
    const left =
      "update webhook_endpoints set listens_until = now() - interval '1 hour' where developer_id = $1 and id = $2";
    await server.db.query(left, [dora.id, listener.body.id]);
    await makeProduct(server, dora.token);
    expect(await recorded('product.published', dora)).toHaveLength(1);
  });

  it('is written for products, keys and partners', async () => {
    const draft = await makeProduct(server, ada.token, { is_draft: true });
    const published = await call(server, 'POST', `/api/products/${draft.id}/publish`, { token: ada.token });
    expect(published.status, published.text).toBe(200);
    await call(server, 'POST', `/api/products/${draft.id}/publish`, { token: ada.token });
    const whole = await makeProduct(server, ada.token);
    const publications = (await recorded('product.published')).slice(-2);
    expect(publications).toEqual([draft, whole].map(({ id, name }) => ({ product_id: id, name })));
    const unlock = `/api/products/${whole.id}/unlock`;
    await call(server, 'POST', unlock, { token: ada.token, body: { product_name: whole.name } });
    for (const audience of ['owners', 'owners', 'everyone']) {
      const body = { product_name: whole.name, audience };
      await call(server, 'POST', `${unlock}/publish`, { token: ada.token, body });
    }
    const { url } = (await call(server, 'GET', unlock, { token: ada.token })).body;
    expect(await recorded('product.unlocked')).toEqual(
      ['owners', 'everyone'].map((audience) => ({ product_id: whole.id, name: whole.name, audience, url })),
    );
    const key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body.key;
    await call(server, 'POST', `/api/developer/plugin-keys/${key.id}/rotate`, { token: ada.token, body: {} });
    expect(await recorded('key.rotated')).toMatchObject([{ key_id: key.id }]);
    const end = `/api/reseller/developer/resellers/${partnershipId}/end`;
    const ended = await call(server, 'POST', end, { token: ada.token, body: {} });
    expect(ended.status, ended.text).toBe(200);
    for (const person of [ada, shop])
      expect(await recorded('partnership.ended', person)).toMatchObject([
        { partnership_id: partnershipId, reseller_id: shop.id },
      ]);
  });

  it('is written for a new seat and for one that is given up, and never for a validate', async () => {
    const product = await makeProduct(server, ada.token, { max_activations: 2 });
    const [serial] = await makeSerials(server, ada.token, product.id, { quantity: 1 });
    await redeem(server, serial?.code as string, 'nina@example.com', ada.id);
    const { plaintext: token } = (
      await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })
    ).body;
    const license = (action: string, machine_id: string) =>
      call(server, 'POST', `/api/license/v1/${action}`, { token, body: { license_key: serial?.code, machine_id } });
    for (const action of ['activate', 'activate', 'validate', 'validate'])
      expect((await license(action, 'studio-mac')).status).toBe(200);
    expect(await recorded('license.activated')).toEqual([
      { serial_id: serial?.id, product_id: product.id, machine: 'studio-m', version: null },
    ]);
    expect((await license('deactivate', 'studio-mac')).status).toBe(200);
    expect(await recorded('license.deactivated')).toEqual([
      { serial_id: serial?.id, product_id: product.id, machine: 'studio-m' },
    ]);
  });

  it('is written for a seat that moves, a trial, a batch that is revoked and a customer who is erased', async () => {
    const product = await makeProduct(server, ada.token, { trial_days: 14 });
    const [serial] = await makeSerials(server, ada.token, product.id, { quantity: 3 });
    await redeem(server, serial?.code as string, 'moved@example.com', ada.id);
    const { plaintext: token } = (
      await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })
    ).body;
    const license = (action: string, body: object) =>
      call(server, 'POST', `/api/license/v1/${action}`, { token, body: { license_key: serial?.code, ...body } });
    const { validation_token } = (await license('activate', { machine_id: 'studio-mac' })).body;
    const move = { old_machine_id: 'studio-mac', machine_id: 'laptop-17', validation_token };
    for (const _ of [1, 2]) expect((await license('transfer', move)).status).toBe(200);
    expect(await recorded('license.transferred')).toEqual([
      { serial_id: serial?.id, product_id: product.id, machine: 'laptop-1', from_machine: 'studio-m' },
    ]);
    const trial = { product_id: product.id, machine_id: 'stage-pc-9' };
    for (const _ of [1, 2]) {
      const answer = await call(server, 'POST', '/api/license/v1/trial', { token, body: trial });
      expect(answer.status, answer.text).toBe(200);
    }
    const ends = await server.db.query<{ at: Date }>('select ends_at as at from trials where product_id = $1', [
      product.id,
    ]);
    expect(await recorded('trial.started')).toEqual([
      { product_id: product.id, machine: 'stage-pc', ends_at: ends[0]?.at.toISOString() },
    ]);
    const detail = (await call(server, 'GET', `/api/serials/${serial?.id}`, { token: ada.token })).body;
    for (const _ of [1, 2])
      await call(server, 'POST', `/api/batches/${detail.batch_id}/revoke`, { token: ada.token, body: {} });
    expect(await recorded('batch.revoked')).toEqual([
      { batch_id: detail.batch_id, product_id: product.id, quantity: 2 },
    ]);
    // a second time is allowed, for machines released since
    for (const _ of [1, 2])
      expect((await call(server, 'DELETE', `/api/customers/${detail.customer.id}`, { token: ada.token })).status).toBe(
        200,
      );
    expect(await recorded('customer.erased')).toEqual([{ customer_id: detail.customer.id }]);
  });

  it('is written for machines that turn out to be one: the first one’s seat moves, the others’ end', async () => {
    const product = await makeProduct(server, ada.token, { max_activations: 4 });
    const [serial] = await makeSerials(server, ada.token, product.id, { quantity: 1 });
    await redeem(server, serial?.code as string, 'nina@example.com', ada.id);
    const { plaintext: token } = (
      await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })
    ).body;
    const activate = async (machine_id: string, old_machine_ids: string[] = []) => {
      const body = { license_key: serial?.code, machine_id, old_machine_ids };
      const answer = await call(server, 'POST', '/api/license/v1/activate', { token, body });
      expect(answer.status, answer.text).toBe(200);
    };
    const own = async (type: Parameters<typeof recorded>[0]) =>
      (await recorded(type)).filter(({ serial_id }: { serial_id: string }) => serial_id === serial?.id);
    for (const machine of ['a-machine', 'b-machine', 'c-machine']) await activate(machine);
    await activate('new-machine', ['b-machine', 'a-machine']);
    const about = { serial_id: serial?.id, product_id: product.id };
    expect(await own('license.transferred')).toEqual([{ ...about, machine: 'new-mach', from_machine: 'b-machin' }]);
    expect(await own('license.deactivated')).toEqual([{ ...about, machine: 'a-machin' }]);
    for (const _ of [1, 2]) await activate('new-machine', ['c-machine']);
    expect(await own('license.deactivated')).toEqual(
      ['a-machin', 'c-machin'].map((machine) => ({ ...about, machine })),
    );
    expect(await own('license.transferred')).toHaveLength(1);
    expect(await own('license.activated')).toHaveLength(3);
    await activate('d-machine');
    // a form of JUCE repeats its field, and may repeat an id in it
    const machines = ['new-machine', 'd-machine', 'd-machine'].map((mach) => ['mach', mach]);
    const fields = [['product', product.name], ['pw', serial?.code ?? ''], ['email', 'nina@example.com'], ...machines];
    const unlocked = await call(server, 'POST', '/api/license/juce/unlock', {
      token,
      body: new URLSearchParams(fields).toString(),
    });
    expect(unlocked.text).toContain('<KEY>');
    expect((await own('license.deactivated')).slice(2)).toEqual([{ ...about, machine: 'd-machin' }]);
  });

  it('is written for each download count that is set back, one by one or all that match', async () => {
    const product = await makeProduct(server, ada.token);
    const serials = await makeSerials(server, ada.token, product.id, { quantity: 3 });
    for (const [n, { code }] of serials.entries()) await redeem(server, code, `reset${n}@example.com`, ada.id);
    const ids = serials.map(({ id }) => id);
    const [one, ...others] = ids as [string, ...string[]];
    await server.db.query('update serials set download_count = 2 where id = any($1)', [ids]);
    for (const _ of [1, 2]) await call(server, 'PATCH', `/api/serials/refresh/${one}`, { token: ada.token });
    expect((await recorded('serial.refreshed')).map(({ serial_id }) => serial_id)).toEqual([one]);
    const body = { action: 'reset_downloads', filter: { product: product.id } };
    const all = await call(server, 'POST', '/api/serials/redeemed/change', { token: ada.token, body });
    expect(all.body, all.text).toMatchObject({ count: 2 });
    const bulk = (await recorded('serial.refreshed')).slice(1);
    expect(bulk.map(({ serial_id }) => serial_id).sort()).toEqual([...others].sort());
    expect(bulk.every(({ cost }) => cost === all.body.cost / 2)).toBe(true);
  });

  it('shows whole characters of a machine’s id, and the same ones each time', async () => {
    const product = await makeProduct(server, ada.token, { trial_days: 14 });
    const [serial] = await makeSerials(server, ada.token, product.id, { quantity: 1 });
    await redeem(server, serial?.code as string, 'emoji@example.com', ada.id);
    const { plaintext: token } = (
      await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })
    ).body;
    const license = async (action: string, body: object) => {
      const answer = await call(server, 'POST', `/api/license/v1/${action}`, { token, body });
      expect(answer.status, answer.text).toBe(200);
      return answer.body;
    };
    const [license_key, machine_id, old_machine_id] = [serial?.code, 'studio-🎹-mac', 'stage--🎸-mac'];
    const { validation_token } = await license('activate', { license_key, machine_id: old_machine_id });
    await license('transfer', { license_key, machine_id, old_machine_id, validation_token });
    await license('deactivate', { license_key, machine_id });
    await license('trial', { product_id: product.id, machine_id });
    const of = async (type: EventType) => (await recorded(type)).findLast((event) => event.product_id === product.id);
    expect(await of('license.activated')).toMatchObject({ machine: 'stage--🎸' });
    expect(await of('license.transferred')).toMatchObject({ machine: 'studio-🎹', from_machine: 'stage--🎸' });
    expect(await of('license.deactivated')).toMatchObject({ machine: 'studio-🎹' });
    expect(await of('trial.started')).toMatchObject({ machine: 'studio-🎹' });
  });

  it('is not made as a sample with a field that it never has, which is named', async () => {
    const body = { type: 'serial.redeemed', data: { price: 5, evil: 'x' } };
    const refused = await call(server, 'POST', '/api/webhook-events', { token: ada.token, body });
    expect(refused.body).toMatchObject({ code: 'invalid_request', errors: [{ path: 'data.evil' }] });
    expect(refused.body.detail).toBe('data.evil is not a known field.');
  });

  it('is refused where no reseller ever gets it, to ask for or to try out', async () => {
    const ask = (target: string, body: object) => call(server, 'POST', target, { token: shop.token, body });
    const path = 'events.1';
    const events = ['serial.*', 'license.*'];
    for (const [target, body] of [
      ['/api/webhooks', { url: 'http://127.0.0.1:9999/', events }],
      ['/api/webhook-listeners', { events }],
    ] as const)
      expect((await ask(target, body)).body).toMatchObject({ errors: [{ path }] });
    const made = await ask('/api/webhooks', { url: 'http://127.0.0.1:9999/', events: ['*'] });
    expect(made.status, made.text).toBe(201);
    const { id } = made.body.webhook;
    const change = await call(server, 'PATCH', `/api/webhooks/${id}`, { token: shop.token, body: { events } });
    expect(change.body).toMatchObject({ errors: [{ path, message: 'A reseller never gets license.*.' }] });
    for (const target of [`/api/webhooks/${id}/test`, '/api/webhook-events'])
      expect((await ask(target, { type: 'customer.created' })).body).toMatchObject({ errors: [{ path: 'type' }] });
    await call(server, 'DELETE', `/api/webhooks/${id}`, { token: shop.token });
  });

  it('is not written without a webhook that asks for it', async () => {
    const bob = await signUpVerified(server);
    await makeSerials(server, bob.token, (await makeProduct(server, bob.token)).id, { quantity: 1 });
    expect(await server.db.query('select 1 from webhook_events where developer_id = $1', [bob.id])).toEqual([]);
  });
});
