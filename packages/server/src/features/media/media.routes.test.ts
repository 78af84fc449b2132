import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { call, type Person, signUp } from '@tonerow/test-support/http.ts';
import { blankPng, manyFrames } from '@tonerow/test-support/images.ts';
import { type SharedServer, sharedServer, startServer } from '@tonerow/test-support/server.ts';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
});

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
    ['half a PNG', async () => half(await noise().png().toBuffer())],
    ['half a JPEG', async () => half(await noise().jpeg().toBuffer())],
    ['a TIFF', async () => picture(9, 9).tiff().toBuffer()],
  ])('refuses %s', async (_name, make) => {
    const answer = await send(form(await make()), path);
    expect([answer.status, answer.body.code]).toEqual([415, 'unsupported_media_type']);
  });

  it.each([
    ['6 kB of 49 megapixels', () => blankPng({ width: 7000, height: 7000, bits: 1, color: 'grey' }), '49 megapixels'],
    ['100 megapixels', () => blankPng({ width: 10_000, height: 10_000, bits: 1, color: 'grey' }), '100 megapixels'],
    ['16 bits per channel', () => blankPng({ width: 4000, height: 4000, bits: 16, color: 'rgba' }), 'memory'],
    ['a progressive JPEG', () => picture(4000, 4000).jpeg({ progressive: true }).toBuffer(), 'memory'],
    ['200,000 frames', async () => manyFrames(2000, 2000, 200_000), 'memory'],
  ])('refuses what unpacks to too much: %s', async (_name, make, says) => {
    const body = await make();
    expect(body.length).toBeLessThan(10 * 1024 * 1024);
    const answer = await send(form(body), path);
    expect([answer.status, answer.body.code]).toEqual([413, 'payload_too_large']);
    expect(answer.body.message).toContain(says);
  });

  it('takes a photograph of 24 megapixels', async () => {
    const answer = await send(form(await picture(6000, 4000).jpeg().toBuffer()), path);
    expect(answer.status).toBe(200);
  });

  it('keeps the first frame of an animation', async () => {
    const { status, body } = await send(form(manyFrames(40, 30, 20)), path);
    expect(status).toBe(200);
    const stored = Buffer.from(await (await fetch(`${server.url}${body.url}`)).arrayBuffer());
    expect(await sharp(stored).metadata()).toMatchObject({ width: 40, height: 30 });
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

it('takes a logo from an access token that may set one, and from no other', async () => {
  const tokenFor = async (scope: string) => {
    const made = await call(server, 'POST', '/api/account/tokens', {
      token: ada.token,
      body: { name: 'ci', scopes: [scope] },
    });
    return made.body.token as string;
  };
  const logo = await picture(9, 9).png().toBuffer();
  const token = await tokenFor('account:write');
  const { status, body } = await send(form(logo), '/api/products/upload-logo', token);
  expect(status).toBe(200);
  const update = { token, body: { logo_url: body.url } };
  expect((await call(server, 'POST', '/api/developer/branding/update', update)).status).toBe(200);
  const refused = await send(form(logo), '/api/products/upload-logo', await tokenFor('account:read'));
  expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope']);
});

it('gives a stored image to a product', async () => {
  const { body } = await send(form(await picture(9, 9).png().toBuffer()));
  const product = await call(server, 'POST', '/api/products', {
    token: ada.token,
    body: { name: 'Pictured', image_url: body.url },
  });
  expect(product.body.image_url).toBe(body.url);
});

describe('many pictures at once', () => {
  const register = (logo: Buffer) => {
    const data = form(logo, 'logo');
    for (const [name, value] of Object.entries({
      first_name: 'Ada',
      last_name: 'Row',
      email: `${Math.random()}@example.com`,
      password: 'a fine long password',
      company_name: 'Row Audio',
    }))
      data.append(name, value);
    return call(server, 'POST', '/api/auth/register', { body: data });
  };

  it('are decoded one after the other, and cost the memory of one', async () => {
    // 19 megapixels of four bytes, the most that is taken
    const heavy = blankPng({ width: 4400, height: 4400, bits: 8, color: 'rgba' });
    const bomb = blankPng({ width: 7000, height: 7000, bits: 1, color: 'grey' });
    await register(heavy);
    const before = process.memoryUsage().rss;
    let [peak, busiest] = [0, 0];
    const watching = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss - before);
      const { queue, process: running } = sharp.counters();
      busiest = Math.max(busiest, queue + running);
    }, 2);
    const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => register(i % 4 ? bomb : heavy)));
    clearInterval(watching);
    const statuses = answers.map(({ status }) => status);
    expect([...new Set(statuses)].sort()).toEqual([201, 413, 429]);
    for (const { status, body, headers } of answers) {
      if (status !== 429) continue;
      expect([body.code, Number(headers.get('retry-after')) > 0]).toEqual(['busy', true]);
    }
    expect(busiest).toBe(1);
    expect(peak / 1024 / 1024).toBeLessThan(250);
    expect((await register(heavy)).status).toBe(201);
  });

  it('are held to two for each address while their bodies arrive, and leave registration without a logo alone', async () => {
    const { hostname, port } = new URL(server.url);
    const slow: Socket[] = [];
    const openSlow = async () => {
      const socket = connect(Number(port), hostname);
      slow.push(socket);
      await once(socket, 'connect');
      socket.write(
        'POST /api/auth/register HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 999999\r\n\r\n--b\r\n',
      );
      // a round trip, in which its head arrives before the next request does
      await call(server, 'GET', '/healthz');
    };
    const small = await picture(9, 9).png().toBuffer();
    await openSlow();
    await expect.poll(async () => (await register(small)).status, { timeout: 20_000 }).toBe(201);
    // one that comes before the slot of the last registration is free is refused, so another one follows it
    await expect
      .poll(async () => openSlow().then(async () => (await register(small)).status), { timeout: 20_000 })
      .toBe(429);
    await signUp(server);
    for (const socket of slow) socket.destroy();
    await expect.poll(async () => (await register(small)).status, { timeout: 20_000 }).toBe(201);
  });
});

describe('a full disk', () => {
  it('is named to the caller, in the log and by /readyz, and nothing else stops', async () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    const other = await startServer({ overrides: { storage: { ...neverUsed, put: () => Promise.reject(full) } } });
    try {
      const { token } = await signUp(other);
      const body = form(await picture(9, 9).png().toBuffer());
      const answer = await call(other, 'POST', '/api/r2/upload-image', { token, body });
      expect([answer.status, answer.body.code, answer.headers.get('retry-after')]).toEqual([507, 'storage_full', '60']);
      expect(answer.body.message).toBe('The server’s disk is full. Try again later.');
      const ready = await call(other, 'GET', '/readyz');
      expect([ready.status, ready.body]).toEqual([200, { status: 'ready', warnings: ['disk_full'] }]);
      expect(other.logged()).toContain('the disk is full');
      await signUp(other);
    } finally {
      await other.stop();
    }
  });
});

const unused = () => Promise.reject(new Error('not used here'));
const neverUsed = {
  put: unused,
  get: unused,
  stat: unused,
  delete: unused,
  beginParts: unused,
  putPart: unused,
  completeParts: unused,
  abortParts: unused,
  close: () => undefined,
};

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
