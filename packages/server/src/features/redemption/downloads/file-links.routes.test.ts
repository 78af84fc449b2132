import { call, makeProduct, makeSerials, redeem, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, describe, expect, it } from 'vitest';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer();
});

it('links to files without telling where they are, and only while the product has them', async () => {
  const { token } = await signUp(server);
  const address = 'https://cdn.example.com/secret-build.dmg';
  const product = await makeProduct(server, token, { file_urls: [{ name: 'Mac', url: address }] });
  const [serial] = await makeSerials(server, token, product.id, { quantity: 1 });
  const { body } = await redeem(server, serial?.code as string, 'curious@example.com');
  const link = new URL(body.products[0].files[0].url);
  const readable = link.search.split('.').map((part) => Buffer.from(part, 'base64url').toString());
  expect(readable.join()).not.toContain('secret-build');
  const click = () => call(server, 'GET', link.pathname + link.search);
  expect((await click()).headers.get('location')).toBe(address);
  await server.db.query(`update products set file_urls = '[]' where id = $1`, [product.id]);
  expect((await click()).body.code).toBe('not_found');
  const [row] = await server.db.query('select download_count as n from serials where id = $1', [serial?.id]);
  expect(row?.n).toBe(1);
});

describe('a file’s address outside ASCII', () => {
  const cases = [
    ['https://cdn.example.com/Łódź.zip', 'https://cdn.example.com/%C5%81%C3%B3d%C5%BA.zip', 'Łódź.zip'],
    ['https://cdn.example.com/音.zip?v=ü', 'https://cdn.example.com/%E9%9F%B3.zip?v=%C3%BC', '音.zip'],
    ['https://löwe.example/🎹/a%20b.zip', 'https://xn--lwe-sna.example/%F0%9F%8E%B9/a%20b.zip', 'a b.zip'],
  ] as const;

  it('is saved as browsers send it, and leads there with one count, also where it was saved before', async () => {
    const { token } = await signUp(server);
    const made = await makeProduct(server, token, {
      file_urls: cases.map(([url]) => ({ url })),
      image_url: 'https://cdn.example.com/ü.png',
    });
    const { body: saved } = await call(server, 'GET', `/api/products/${made.id}`, { token });
    expect(saved.file_urls).toEqual(cases.map(([, url, name]) => ({ name, url })));
    expect(saved.image_url).toBe('https://cdn.example.com/%C3%BC.png');
    const [serial] = await makeSerials(server, token, made.id, { quantity: 1 });
    const count = async () =>
      (await server.db.query('select download_count as n from serials where id = $1', [serial?.id]))[0]?.n;
    const open = async () => (await redeem(server, serial?.code as string, 'lodz@example.com')).body.products[0].files;
    const click = ({ url }: { url: string }) => call(server, 'GET', url.slice(server.url.length));
    const before = await open();
    // as the release before saved them
    await server.db.query('update products set file_urls = $2::jsonb where id = $1', [
      made.id,
      JSON.stringify(cases.map(([url, , name]) => ({ name, url }))),
    ]);
    for (const [index, [, url]] of cases.entries()) {
      for (const files of [before, await open()]) {
        const answer = await click(files[index]);
        expect([answer.status, answer.headers.get('location')]).toEqual([302, url]);
      }
      expect(await count()).toBe(index + 1);
    }
    // a download that cannot be sent costs nothing
    await server.db.query('update products set file_urls = $2::jsonb where id = $1', [
      made.id,
      JSON.stringify([{ name: 'Broken', url: 'no address, ü' }]),
    ]);
    expect((await click((await open())[0])).status).toBe(404);
    expect(await count()).toBe(cases.length);
  });

  it('is refused when it is too long to be sent', async () => {
    const { token } = await signUp(server);
    const url = `https://cdn.example.com/${'音'.repeat(400)}`;
    const refused = await call(server, 'POST', '/api/products', {
      token,
      body: { name: 'Long', file_urls: [{ url }] },
    });
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'file_urls.0.url']);
  });
});
