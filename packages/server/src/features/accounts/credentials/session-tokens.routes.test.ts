import { call, PASSWORD, signUp } from '@tonerow/test-support/http.ts';
import { startServer, TEST_SECRET } from '@tonerow/test-support/server.ts';
import { expect, it, onTestFinished } from 'vitest';
import { DAY, systemClock } from '#platform/clock.ts';
import { systemRandom } from '#platform/random.ts';
import { TokenMint } from '#platform/secrets/jwt.ts';
import { Secrets } from '#platform/secrets/secrets.ts';

it('nobody is signed out by an upgrade, nor by a rotation of the secret', async () => {
  const before = await startServer();
  onTestFinished(() => before.stop());
  const ada = await signUp(before);
  const me = async (at: { url: string }, token: string) => (await call(at, 'GET', '/api/auth/me', { token })).body;
  const { credential } = await me(before, ada.token);
  // as the release before signed them: they name no key
  const random = systemRandom(systemClock);
  const mint = new TokenMint(new Secrets([TEST_SECRET], random), 'session', systemClock);
  const unnamed = mint.sign({ sid: credential.id }, 3650 * DAY);
  for (const token of [ada.token, unnamed]) expect(await me(before, token)).toMatchObject({ id: ada.id, credential });

  const newer = 'another secret for the tests that is the newer of the two';
  const after = await startServer({ db: before.db, env: { TONEROW_SECRET: `${newer},${TEST_SECRET}` } });
  onTestFinished(() => after.stop());
  for (const token of [ada.token, unnamed]) expect(await me(after, token)).toMatchObject({ id: ada.id, credential });

  const change = { oldPassword: PASSWORD, newPassword: 'quite a new password' };
  const changed = await call(after, 'POST', '/api/account/update-password', { token: unnamed, body: change });
  expect(await me(after, changed.body.token)).toMatchObject({ id: ada.id });
  const [header] = changed.body.token.split('.').map((part: string) => Buffer.from(part, 'base64url').toString());
  expect(JSON.parse(header)).toMatchObject({ kid: new Secrets([newer], random).fingerprints()[0] });
  for (const token of [ada.token, unnamed]) expect(await me(after, token)).toMatchObject({ code: 'invalid_token' });
});
