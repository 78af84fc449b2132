import { randomUUID } from 'node:crypto';
import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, describe, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
let key: string;
let product: { id: string; name: string };

beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
  key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body.plaintext;
  product = await makeProduct(server, ada.token, { name: 'Delay & Größe', max_activations: 3 });
});

/** A serial with its owner. */
async function owned(): Promise<{ id: string; code: string }> {
  const [serial] = await makeSerials(server, ada.token, product.id, { quantity: 1 });
  await redeem(server, serial?.code as string, `nina-${randomUUID()}@example.com`, ada.id);
  return serial as { id: string; code: string };
}
const edd = async (action: string, fields: Record<string, string>, by = key) => {
  const asked = new URLSearchParams({ edd_action: `${action}_license`, ...fields });
  return call(server, 'GET', `/legacy/${by}/?${asked}`);
};

describe('what EDD’s sample encodes once more', () => {
  it('is the product, the license and the address that it means', async () => {
    const serial = await owned();
    const sent = {
      license: encodeURIComponent(serial.code),
      item_name: encodeURIComponent(product.name),
      url: encodeURIComponent('https://studio.example'),
    };
    const activated = await edd('activate', sent);
    expect(activated.body).toMatchObject({ success: true, license: 'valid', item_name: product.name, site_count: 1 });
    expect((await edd('check', sent)).body).toMatchObject({ license: 'valid', item_name: product.name });
    const plain = { license: serial.code, item_name: product.name, url: 'https://studio.example' };
    expect((await edd('check', plain)).body.license).toBe('valid');
    // as a page of WordPress writes a name
    const asPage = { ...plain, item_name: 'Delay &amp; Gr&#246;&#xDF;e' };
    expect((await edd('check', asPage)).body).toMatchObject({ license: 'valid', item_name: product.name });
    expect((await edd('check', { ...asPage, item_name: encodeURIComponent(asPage.item_name) })).body.license).toBe(
      'valid',
    );
    expect((await edd('deactivate', sent)).body.license).toBe('deactivated');
  });

  it('leaves alone what only looks like it', async () => {
    const serial = await owned();
    const plain = { license: serial.code, url: 'https://studio.example' };
    for (const item_name of ['100%', '100%20 wet', '%FF', '&nothing; &#99999999;'])
      expect((await edd('check', { ...plain, item_name })).body).toMatchObject({
        license: 'item_name_mismatch',
        item_name,
      });
  });
});
