import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, type Person, signUp } from '../../../../../test/support/http.ts';
import { startServer, type TestServer } from '../../../../../test/support/server.ts';

let server: TestServer;
let ada: Person;
beforeAll(async () => {
  server = await startServer();
  ada = await signUp(server);
});
afterAll(() => server.stop());

const form = (body: Buffer | string, field = 'file', name = 'a.png') => {
  const data = new FormData();
  data.append(field, new Blob([typeof body === 'string' ? body : new Uint8Array(body)]), name);
  return data;
};
const send = (body: unknown, path = '/api/r2/upload-image', token = ada.token) =>
  call(server, 'POST', path, { token, body });
const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#204060' }, limitInputPixels: false });

describe.each(['/api/r2/upload-image', '/api/products/upload-logo'])('%s', (path) => {
  it('stores a picture as WebP, at most 2000 pixels wide', async () => {
    const png = await picture(3000, 30).withMetadata().png().toBuffer();
    const { status, body } = await send(form(png), path);
    expect([status, Object.keys(body)]).toEqual([200, ['url']]);
    expect(body.url).toMatch(/^\/media\/images\/[0-9a-f-]{36}\.webp$/);
    const stored = await fetch(`${server.url}${body.url}`);
    expect(stored.headers.get('content-type')).toBe('image/webp');
    expect(stored.headers.get('x-content-type-options')).toBe('nosniff');
    const { format, width } = await sharp(Buffer.from(await stored.arrayBuffer())).metadata();
    expect([format, width]).toEqual(['webp', 2000]);
  });

  it.each([
    ['HTML', async () => '<html><script>alert(1)</script></html>'],
    ['SVG', async () => '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['a picture that unpacks to 100 million pixels', async () => picture(10_000, 10_000).png().toBuffer()],
    ['half a PNG', async () => half(await noise().png().toBuffer())],
    ['half a JPEG', async () => half(await noise().jpeg().toBuffer())],
    ['a TIFF', async () => picture(9, 9).tiff().toBuffer()],
  ])('refuses %s', async (_name, make) => {
    const answer = await send(form(await make()), path);
    expect([answer.status, answer.body.code]).toEqual([415, 'unsupported_media_type']);
  });

  it('refuses more than 10 MB', async () => {
    expect((await send(form(Buffer.alloc(10 * 1024 * 1024 + 1)), path)).status).toBe(413);
  });

  it('refuses no file, an empty one, text and another field', async () => {
    const text = new FormData();
    text.append('file', 'not a file');
    for (const body of [
      new FormData(),
      form(Buffer.alloc(0)),
      text,
      form(await picture(9, 9).png().toBuffer(), 'image'),
    ]) {
      const answer = await send(body, path);
      expect([answer.status, answer.body.errors?.[0]?.path]).toEqual([400, 'file']);
    }
  });
});

it('lets a reseller store a logo', async () => {
  const { token } = await signUp(server, 'reseller');
  expect((await send(form(await picture(9, 9).png().toBuffer()), '/api/products/upload-logo', token)).status).toBe(200);
});

it('gives a stored image to a product', async () => {
  const { body } = await send(form(await picture(9, 9).png().toBuffer()));
  const product = await call(server, 'POST', '/api/products', {
    token: ada.token,
    body: { name: 'Pictured', image_url: body.url },
  });
  expect(product.body.image_url).toBe(body.url);
});

const half = (whole: Buffer) => whole.subarray(0, whole.length / 2);
const noise = () =>
  sharp({
    create: {
      width: 300,
      height: 300,
      channels: 3,
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
      background: '#000',
    },
  });
