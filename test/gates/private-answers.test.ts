import { call, type Person, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, expect, it } from 'vitest';

/** Operations whose answer is the same for everybody and may be kept for a while; every other answer is `no-store`. */
const KEPT: Record<string, string> = { getLicenseKeys: 'public, max-age=300' };
const ABSENT = '01900000-0000-7000-8000-000000000000';

interface Operation {
  operationId: string;
  'x-access': { as: string };
}

let server: SharedServer;
let owner: Person;
let pluginKey: string;
let operations: (Operation & { method: string; path: string })[];
beforeAll(async () => {
  server = await sharedServer();
  owner = await signUp(server);
  const key = await call(server, 'POST', '/api/developer/plugin-keys', { token: owner.token, body: {} });
  pluginKey = key.body.plaintext;
  const { paths } = (await call(server, 'GET', '/api/openapi.json')).body as {
    paths: Record<string, Record<string, Operation>>;
  };
  operations = Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
    )
    .sort((a, b) => Number(a.operationId === 'logout') - Number(b.operationId === 'logout'));
});

it('lets no cache keep what an operation answers, whether it succeeds or refuses', async () => {
  const wrong: string[] = [];
  let good = 0;
  for (const { operationId, method, path, 'x-access': access } of operations) {
    const token = access.as === 'plugin' ? pluginKey : owner.token;
    for (const credential of [undefined, token]) {
      const query = operationId === 'getLicenseKeys' || operationId === 'getBranding' ? `?dev=${owner.id}` : '';
      const answer = await call(
        server,
        method,
        path.replace('{kind}', 'customers').replace(/\{\w+\}/g, ABSENT) + query,
        {
          ...(credential ? { token: credential } : {}),
          ...(method === 'GET' ? {} : { body: {} }),
        },
      );
      if (answer.status < 400) good += 1;
      const expected = (answer.status < 400 && KEPT[operationId]) || 'no-store';
      const found = answer.headers.get('cache-control');
      if (found !== expected) wrong.push(`${method} ${path} ${answer.status}: ${found}`);
    }
  }
  expect(wrong).toEqual([]);
  // enough of them did succeed for this to mean something
  expect(good).toBeGreaterThan(40);
});

it('lets no cache keep a session, a redemption or an unknown address', async () => {
  const login = await call(server, 'POST', '/api/auth/login', {
    body: { email: owner.email, password: 'a fine long password' },
  });
  const unknown = await call(server, 'GET', '/api/nothing');
  const image = await call(server, 'GET', `/media/images/${ABSENT}.webp`);
  for (const answer of [login, unknown, image]) expect(answer.headers.get('cache-control')).toBe('no-store');
});
