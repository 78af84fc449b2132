import { answer, serverWith } from '@tonerow/test-support/sdk-server.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { API_VERSION, createClient, SDK_VERSION } from './index.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

const listening = (options = {}) => serverWith((_request, response) => answer(response, 200, []), options);

describe('a call', () => {
  it('names the API that its client was made for, the program, the package and what runs it', async () => {
    const { api, seen, url } = await listening();
    await api.products.list();
    await createClient({ baseUrl: url, userAgent: 'my-shop/2.1' }).products.list();
    const own = `tonerow-sdk/${SDK_VERSION} node/${process.versions.node}`;
    expect(seen.map(({ headers }) => headers['user-agent'])).toEqual([own, `my-shop/2.1 ${own}`]);
    expect(seen[0]?.headers['tonerow-api-version']).toBe(API_VERSION);
    expect(API_VERSION).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  });

  it('sends no header of its own to where a file is kept', async () => {
    const { api, seen } = await serverWith((_request, response) =>
      response.writeHead(302, { location: 'https://bucket.example.com/file' }).end(),
    );
    await api.withResponse.files.download('f1');
    expect(seen.map(({ headers }) => headers['tonerow-api-version'])).toEqual([undefined]);
  });

  it('leaves the name to the browser in a page', async () => {
    vi.stubGlobal('document', {});
    const { api, seen } = await listening();
    await api.products.list();
    expect(seen[0]?.headers['user-agent']).not.toContain('tonerow');
  });

  it('waits for a token that is still on its way, and asks again for the next call', async () => {
    let asked = 0;
    const token = async () => {
      asked += 1;
      return `token-${asked}`;
    };
    const { api, seen } = await listening({ token });
    await api.products.list();
    await api.products.list();
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  it('is not made when the token cannot be had', async () => {
    const { api, seen } = await listening({ token: () => Promise.reject(new Error('vault is sealed')) });
    await expect(api.products.list()).rejects.toThrow('vault is sealed');
    expect(seen).toEqual([]);
  });
});

describe('the environment', () => {
  it('names the server and the credential of a client that was given none', async () => {
    const { url, seen } = await listening();
    const client = createClient();
    vi.stubEnv('TONEROW_URL', `${url}/`);
    vi.stubEnv('TONEROW_TOKEN', ' tnr_pat_env ');
    await client.products.list();
    await createClient({ token: 'mine' }).products.list();
    await createClient({ token: null }).products.list();
    await createClient({ token: () => undefined }).products.list();
    expect(seen.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer tnr_pat_env',
      'Bearer mine',
      undefined,
      undefined,
    ]);
  });

  it('does not give its token to another server than its own', async () => {
    const { url, seen } = await listening();
    vi.stubEnv('TONEROW_TOKEN', 'tnr_pat_env');
    await createClient({ baseUrl: url }).products.list();
    vi.stubEnv('TONEROW_URL', 'https://licenses.example.com');
    await createClient({ baseUrl: url }).products.list();
    vi.stubEnv('TONEROW_URL', `${url}/api`);
    await createClient({ baseUrl: url }).products.list();
    expect(seen.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer tnr_pat_env',
      undefined,
      'Bearer tnr_pat_env',
    ]);
  });

  it('is missed by the first call, not by whoever makes a client', async () => {
    vi.stubEnv('TONEROW_URL', '');
    const client = createClient();
    await expect(client.products.list()).rejects.toThrow('pass createClient a baseUrl, or set TONEROW_URL');
  });
});
