import { call, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, expect, it } from 'vitest';
import { VERSION } from './version.ts';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer();
});

it('is named to signed-in callers, and not to strangers', async () => {
  const { token } = await signUp(server);
  const versionOf = async (path: string, given?: string) =>
    (await call(server, 'GET', path, given ? { token: given } : {})).headers.get('x-tonerow-version');
  expect(await versionOf('/api/auth/me', token)).toBe(VERSION);
  expect(await versionOf('/api/auth/me', 'nobody')).toBeNull();
  expect(await versionOf('/api/plans')).toBeNull();
});
