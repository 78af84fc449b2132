import { call, signUp, verifyEmail } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, expect, it } from 'vitest';
import { scopeNames } from '../../packages/server/src/platform/access/access.ts';
import { accessTable, actors } from './access-table.ts';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer();
});

it('opens nothing of an admin’s to the admin’s own access token, whatever its scopes', async () => {
  const admin = await signUp(server);
  await server.db.query('update users set is_admin = true where id = $1', [admin.id]);
  await verifyEmail(server, admin);
  const body = { name: 'everything', scopes: scopeNames };
  const { token } = (await call(server, 'POST', '/api/account/tokens', { token: admin.token, body })).body;
  const document = (await call(server, 'GET', '/api/openapi.json')).body as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const reads = Object.entries(document.paths).filter(
    ([path, { get }]) => get && !path.includes('{') && isAdmins(get.operationId),
  );
  expect(reads.length).toBeGreaterThan(0);
  for (const [path] of reads) {
    expect((await call(server, 'GET', path, { token: admin.token })).status, path).toBe(200);
    const refused = await call(server, 'GET', path, { token });
    expect([refused.status, refused.body.message], path).toEqual([
      403,
      'This requires a signed-in session; access tokens cannot be used.',
    ]);
  }
});

/** Those that an admin may call, and a developer may not. */
function isAdmins(operationId: string): boolean {
  const row = accessTable[operationId];
  return row?.[actors.indexOf('admin')] === 'ok' && row[actors.indexOf('developer')] !== 'ok';
}
