import { call, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, expect, it } from 'vitest';
import { API_VERSION } from '#platform/version.ts';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer();
});

const HEADER = 'tonerow-api-version';
const asking = (path: string, version?: string) =>
  fetch(`${server.url}${path}`, { headers: version === undefined ? {} : { [HEADER]: version } });

it('is named in every answer of the API, to strangers and with refusals, too', async () => {
  const { token } = await signUp(server);
  const answers = [
    await call(server, 'GET', '/api/products', { token }),
    await call(server, 'GET', '/api/products'),
    await call(server, 'GET', '/api/plans'),
  ];
  expect(answers.map(({ status, headers }) => [status, headers.get(HEADER)])).toEqual([
    [200, API_VERSION],
    [401, API_VERSION],
    [200, API_VERSION],
  ]);
  const contract = await call(server, 'GET', '/api/openapi.json');
  expect((contract.body as { info: { version: string } }).info.version).toBe(API_VERSION);
});

it('may be expected by a request; another one is refused before anything is done', async () => {
  expect((await asking('/api/plans', API_VERSION)).status).toBe(200);
  for (const version of ['2019-01-01', '2099-01-01', 'latest', '']) {
    const refused = await asking('/api/plans', version);
    expect([version, refused.status]).toEqual([version, 400]);
    expect(await refused.json()).toMatchObject({ code: 'api_version_unsupported' });
  }
  const { token } = await signUp(server);
  const write = await fetch(`${server.url}/api/products`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', [HEADER]: '2019-01-01' },
    body: '{"name":"Prism Delay"}',
  });
  expect(write.status).toBe(400);
  expect((await call(server, 'GET', '/api/products', { token })).body).toEqual([]);
});

it('is not asked of plugins, which nobody can update', async () => {
  const answer = await asking('/api/license/v1/time', '2019-01-01');
  expect(answer.status).not.toBe(400);
  expect(answer.headers.get(HEADER)).toBeNull();
});
