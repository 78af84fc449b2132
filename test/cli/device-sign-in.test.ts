import { runCommand } from '@tonerow/test-support/cli.ts';
import { call, type Person, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { openTerminal } from '@tonerow/test-support/terminal.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
let other: Awaited<ReturnType<typeof openTerminal>>;
let own: Awaited<ReturnType<typeof openTerminal>>;
beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
  other = await openTerminal(() => ({ TONEROW_URL: server.url }));
  own = await openTerminal(() => ({ TONEROW_URL: server.url, TONEROW_TOKEN: ada.token }));
});
afterAll(async () => {
  await other.close();
  await own.close();
});

/** Waits no seconds before it asks. */
const complete = () =>
  runCommand(['login', '--complete'], {
    env: other.environment(),
    person: { pause: async () => {}, openBrowser: async () => false },
  });

it('signs in a terminal of nobody’s by the code that another one confirms', async () => {
  const begun = await other.tonerow('login');
  expect(begun.code).toBe(8);
  const { user_code, verification_uri } = JSON.parse(begun.out);
  expect(new URL(verification_uri).pathname).toBe('/device');

  // nobody is asked there: it takes --yes
  const asked = await own.tonerow('account', 'confirm-terminal', user_code);
  expect([asked.code, asked.err]).toEqual([64, expect.stringContaining('--yes')]);
  const confirmed = await own.tonerow('account', 'confirm-terminal', user_code, '--yes');
  expect([confirmed.code, confirmed.err]).toEqual([0, expect.stringContaining('signs in within a few seconds')]);

  const done = await complete();
  expect([done.code, done.err]).toEqual([0, expect.stringContaining(`Signed in as ${ada.email}.`)]);
  expect((await other.json('whoami')).id).toBe(ada.id);
  const { out } = await own.tonerow('account', 'sessions');
  expect(out).toMatch(/ \(Tonerow CLI\)/);
  expect((await other.tonerow('logout')).code).toBe(0);
  expect((await call(server, 'GET', '/api/auth/me', { token: ada.token })).status).toBe(200);
});

it('refuses a terminal whose code another one denies', async () => {
  const { user_code } = JSON.parse((await other.tonerow('login')).out);
  expect((await own.json('account', 'confirm-terminal', user_code, '--deny')).state).toBe('denied');
  const done = await complete();
  expect([done.code, done.err]).toEqual([1, expect.stringContaining('was denied')]);
  expect((await own.tonerow('account', 'confirm-terminal', 'BBBB-BBBB', '--yes')).code).toBe(1);
});
