import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, signUp } from '../../../../test/support/http.ts';
import { startServer, type TestServer } from '../../../../test/support/server.ts';
import { VERSION } from './version.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

it('is named to signed-in callers, and not to strangers', async () => {
  const { token } = await signUp(server);
  const versionOf = async (path: string, given?: string) =>
    (await call(server, 'GET', path, given ? { token: given } : {})).headers.get('x-tonerow-version');
  expect(await versionOf('/api/auth/me', token)).toBe(VERSION);
  expect(await versionOf('/api/auth/me', 'nobody')).toBeNull();
  expect(await versionOf('/api/plans')).toBeNull();
});
