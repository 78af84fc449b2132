import { call, makeProduct, makeSerials, PASSWORD, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { juceKeyOf } from '@tonerow/test-support/juce.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { verifyLicense } from '../../../../../sdk/src/index.ts';

let server: SharedServer;
let ada: Person;
let product: { id: string; name: string };

beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
  product = await makeProduct(server, ada.token);
});

const ask = (method: string, path: string, body?: object, token: string | undefined = ada.token) =>
  call(server, method, path, { ...(token ? { token } : {}), ...(body ? { body } : {}) });
const pathOf = (about = product) => `/api/products/${about.id}/unlock`;
const make = (about = product, person = ada) => ask('POST', pathOf(about), { product_name: about.name }, person.token);
const publish = (audience: string, about = product, person = ada) =>
  ask('POST', `${pathOf(about)}/publish`, { product_name: about.name, audience }, person.token);
const fileAt = (url: string) => call(server, 'GET', new URL(url).pathname);
const offered = async (dev: string, query = '') => call(server, 'GET', `/api/redeem/unlocks?dev=${dev}${query}`);
/** Whether the redemption page has any to list. */
const flagged = async (dev: string) => (await call(server, 'GET', `/api/developer/branding?dev=${dev}`)).body.unlocked;
/** The redemption page as the owner of a new serial sees it. */
async function owned(about: { id: string }, person = ada) {
  const [serial] = await makeSerials(server, person.token, about.id, { quantity: 1 });
  const email = `nina-${serial?.id}@example.com`;
  const opened = await redeem(server, serial?.code as string, email, person.id);
  const token = opened.body.download_token as string;
  const card = async () => {
    const { body } = await call(server, 'POST', '/api/redeem/products', { body: { download_token: token } });
    return body.products[0] as { unlock_url: string | null };
  };
  return { serial: serial as { id: string; code: string }, card };
}
const judge = async (token: string, productId: string, dev = ada.id) => {
  const { body: jwks } = await call(server, 'GET', `/api/license/v1/jwks?dev=${dev}`);
  return verifyLicense(token, jwks, { productId, machineId: 'any computer', now: new Date('2120-01-01') });
};

describe('an unlock for good', () => {
  it('is made once, put away, published, and then neither withdrawn nor narrowed', async () => {
    expect((await ask('GET', pathOf())).status).toBe(404);
    const made = await make();
    expect([made.status, made.body]).toEqual([
      200,
      {
        id: expect.any(String),
        product_id: product.id,
        product_name: product.name,
        created_at: expect.any(String),
        downloaded_at: null,
        published_at: null,
        audience: null,
        url: null,
      },
    ]);
    expect((await make()).body).toEqual(made.body);

    const file = (await ask('POST', `${pathOf()}/download`)).body;
    expect(file).toMatchObject({ type: 'unlock-for-good', product_id: product.id, developer_id: ada.id });
    expect(await judge(file.token, product.id)).toMatchObject({ valid: true, forGood: true, productId: product.id });
    const away = (await ask('GET', pathOf())).body;
    expect(away.downloaded_at).not.toBeNull();
    expect((await call(server, 'GET', `/api/redeem/unlocks/${made.body.id}`)).status).toBe(404);

    const { card, serial } = await owned(product);
    expect((await card()).unlock_url).toBeNull();
    const published = await publish('owners');
    expect([published.status, published.body]).toMatchObject([200, { audience: 'owners', url: expect.any(String) }]);
    expect((await card()).unlock_url).toBe(published.body.url);
    expect([(await offered(ada.id)).body, await flagged(ada.id)]).toEqual([[], false]);
    // the same to the last byte as what was put away
    expect((await fileAt(published.body.url)).body).toEqual(file);
    await server.db.query('update serials set revoked_at = now() where id = $1', [serial.id]);
    expect((await card()).unlock_url).toBeNull();

    expect((await publish('owners')).body).toEqual(published.body);
    expect((await publish('everyone')).body).toEqual({ ...published.body, audience: 'everyone' });
    expect(await flagged(ada.id)).toBe(true);
    const refused = await publish('owners');
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict']);
    expect((await ask('DELETE', pathOf())).status).toBe(409);
    expect((await offered(ada.id)).body).toEqual([
      {
        id: made.body.id,
        product_name: product.name,
        published_at: published.body.published_at,
        url: published.body.url,
      },
    ]);

    const log = await call(server, 'GET', '/api/audit-log', { token: ada.token });
    const acts = JSON.stringify(log.body);
    for (const action of ['unlock_made', 'unlock_downloaded', 'unlock_published']) expect(acts).toContain(action);
  });

  it('has a key file for every computer, too, once its product has a key pair: the whole document is one to JUCE', async () => {
    const about = await makeProduct(server, ada.token, { juce_product_id: 'com.ada.<Über> "1"' });
    await make(about);
    const save = () => ask('POST', `${pathOf(about)}/download`);
    expect((await save()).body).toMatchObject({ token: expect.any(String), key_file: null });
    const publicKey = (await ask('GET', `/api/products/${about.id}/rsa?format=juce`)).text;
    const { text, body } = await save();
    expect(juceKeyOf(text, publicKey)).toEqual({
      user: 'Everyone',
      email: 'everyone@example.invalid',
      mach: 'EVERY-COMPUTER',
      app: 'com.ada.<Über> "1"',
      date: Date.parse(body.created_at).toString(16),
      salt: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(juceKeyOf(body.key_file, publicKey)).toEqual(juceKeyOf(text, publicKey));
    // the file that was put away is the one that is published later
    expect((await save()).text).toBe(text);
    const { url } = (await publish('everyone', about)).body;
    expect((await fileAt(url)).text).toBe(text);
  });

  it('is withdrawn while it is not published, and the next one is another', async () => {
    const about = await makeProduct(server, ada.token);
    const first = (await make(about)).body;
    expect((await ask('DELETE', pathOf(about))).status).toBe(200);
    expect((await ask('DELETE', pathOf(about))).status).toBe(404);
    expect((await make(about)).body.id).not.toBe(first.id);
  });

  it('asks for the product’s name, for a person, and for the product’s own developer', async () => {
    const about = await makeProduct(server, ada.token);
    const wrong = await ask('POST', pathOf(about), { product_name: 'Another' });
    expect([wrong.status, wrong.body.errors]).toEqual([
      400,
      [{ path: 'product_name', message: `Type the name of the product: ${about.name}` }],
    ]);
    await make(about);
    const misled = await ask('POST', `${pathOf(about)}/publish`, { product_name: 'Another', audience: 'everyone' });
    expect(misled.status).toBe(400);
    const { body } = await call(server, 'POST', '/api/account/tokens', {
      token: ada.token,
      body: { name: 'ci', scopes: ['products:read', 'products:write'] },
    });
    const script = body.token as string;
    expect((await ask('GET', pathOf(about), undefined, script)).status).toBe(200);
    expect((await ask('POST', `${pathOf(about)}/download`, undefined, script)).status).toBe(403);
    const bob = await signUp(server);
    expect((await make(about, bob)).status).toBe(404);
    expect((await publish('everyone', about, bob)).status).toBe(404);
    expect((await ask('POST', `${pathOf(about)}/download`, undefined, bob.token)).status).toBe(404);
  });

  it('of a draft is not published', async () => {
    const draft = await makeProduct(server, ada.token, { is_draft: true });
    expect((await make(draft)).status).toBe(200);
    expect((await publish('everyone', draft)).status).toBe(422);
  });

  it('is made, published and withdrawn as one after the other by requests at once', async () => {
    const about = await makeProduct(server, ada.token);
    const made = await Promise.all([make(about), make(about), make(about)]);
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
    const [published, withdrawn] = await Promise.all([publish('everyone', about), ask('DELETE', pathOf(about))]);
    expect([
      [200, 409],
      [404, 200],
    ]).toContainEqual([published.status, withdrawn.status]);
  });

  it('is listed page by page', async () => {
    const eve = await signUp(server);
    for (const _ of [1, 2, 3]) {
      const about = await makeProduct(server, eve.token);
      await make(about, eve);
      await publish('everyone', about, eve);
    }
    for (const path of ['/api/unlocks?limit=2', `/api/redeem/unlocks?dev=${eve.id}&limit=2`]) {
      const first = await ask('GET', path, undefined, eve.token);
      expect(first.body).toHaveLength(2);
      const next = await ask('GET', `${path}&cursor=${first.headers.get('x-next-cursor')}`, undefined, eve.token);
      expect(next.body).toHaveLength(1);
      expect(first.body.map((each: { id: string }) => each.id)).not.toContain(next.body[0].id);
    }
  });

  it('stays for owners when the product is deleted', async () => {
    const about = await makeProduct(server, ada.token);
    await make(about);
    const { url } = (await publish('owners', about)).body;
    const { card } = await owned(about);
    expect((await ask('DELETE', `/api/products/${about.id}?force=true`)).status).toBe(200);
    expect((await card()).unlock_url).toBe(url);
    expect((await fileAt(url)).status).toBe(200);
  });
});

describe('closing the account', () => {
  const close = (person: Person, unlock?: string) =>
    ask('DELETE', '/api/account/delete', { password: PASSWORD, ...(unlock ? { unlock } : {}) }, person.token);

  it('publishes the unlocks of all products when asked to, and they go on being served', async () => {
    const eve = await signUp(server);
    const [plain, away, open] = [
      await makeProduct(server, eve.token),
      await makeProduct(server, eve.token),
      await makeProduct(server, eve.token),
    ];
    await makeProduct(server, eve.token, { is_draft: true });
    const { id } = (await make(away, eve)).body;
    await make(open, eve);
    await publish('everyone', open, eve);
    const preview = await ask('GET', '/api/account/deletion', undefined, eve.token);
    expect(preview.body).toMatchObject({ products: 3, unlocked_products: 1 });
    const { card } = await owned(plain, eve);
    expect((await close(eve, 'owners')).status).toBe(200);
    const { unlock_url } = await card();
    const file = (await fileAt(unlock_url as string)).body;
    expect(await judge(file.token, plain.id, eve.id)).toMatchObject({ valid: true, forGood: true });
    expect((await call(server, 'GET', `/api/redeem/unlocks/${id}`)).status).toBe(200);
    // unlocks that were open to everyone stay so
    expect((await offered(eve.id)).body).toMatchObject([{ product_name: open.name }]);
  });

  it('publishes none unless asked to', async () => {
    const eve = await signUp(server);
    const about = await makeProduct(server, eve.token);
    const { id } = (await make(about, eve)).body;
    expect((await close(eve)).status).toBe(200);
    expect((await call(server, 'GET', `/api/redeem/unlocks/${id}`)).status).toBe(404);
    expect((await offered(eve.id)).body).toEqual([]);
  });
});
