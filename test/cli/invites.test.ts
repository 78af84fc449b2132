import { PASSWORD, type Person, signUpVerified } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { openTerminal } from '@tonerow/test-support/terminal.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';

let server: SharedServer;
let terminal: Awaited<ReturnType<typeof openTerminal>>;
let ada: Person;
let rae: Person;
beforeAll(async () => {
  server = await sharedServer();
  [ada, rae] = [await signUpVerified(server), await signUpVerified(server, 'reseller')];
  terminal = await openTerminal(() => ({ TONEROW_URL: server.url }));
});
afterAll(async () => {
  await terminal.close();
});

const signIn = async ({ email }: Person) =>
  expect((await terminal.piped(PASSWORD, 'login', '--email', email, '--password-stdin')).code).toBe(0);

it('invites, lists, accepts and withdraws, from both sides', async () => {
  const { tonerow, json } = terminal;
  await signIn(ada);
  const invited = await tonerow('resellers', 'invite', rae.email, 'shop@example.com', ada.email, '--rate', '12.5');
  expect([invited.code, invited.out]).toEqual([0, expect.stringContaining(rae.email)]);
  expect(invited.err).toContain(`${ada.email}: You cannot invite yourself.`);
  expect(invited.err).toContain('2 invitations sent.');
  const sent = (await json('invites', 'sent')) as { id: string; email: string; state: string }[];
  expect(sent.map(({ email, state }) => [email, state])).toEqual([
    ['shop@example.com', 'pending'],
    [rae.email, 'pending'],
  ]);
  const again = await tonerow('invites', 'resend', sent[0]?.id as string);
  expect([again.code === 0, again.err]).toEqual([false, expect.stringContaining('one invitation a day')]);
  expect((await tonerow('invites', 'withdraw', sent[0]?.id as string, '--yes')).out).toBe('Invitation withdrawn.\n');
  expect(await json('invites', 'sent', '--state', 'pending')).toHaveLength(1);

  await signIn(rae);
  const [invite] = (await json('invites', 'list')) as { id: string; commission_rate: number }[];
  expect(invite).toMatchObject({ id: sent[1]?.id, commission_rate: 12.5 });
  expect((await tonerow('invites', 'accept', invite?.id as string)).out).toBe('Invitation accepted.\n');
  expect((await tonerow('invites', 'list')).out).toBe('No pending invites\n');
  expect((await tonerow('invites', 'reject', invite?.id as string)).err).toContain('already accepted');
  const asked = await tonerow('partners', 'invite', 'bob@example.com', '--message', 'May we sell it?');
  expect([asked.code, asked.err]).toEqual([0, expect.stringContaining('Invitation sent successfully!')]);

  await signIn(ada);
  expect(await json('resellers', 'list')).toMatchObject([{ commission_rate: 12.5, status: 'active' }]);
});

it('refuses what it can without the server', async () => {
  const { tonerow } = terminal;
  const rate = await tonerow('resellers', 'invite', 'a@example.com', '--rate', '101');
  expect([rate.code, rate.err]).toEqual([64, expect.stringContaining('--rate takes a percentage')]);
  const claim = await tonerow('resellers', 'invite', 'a@example.com', 'b@example.com', '--claim', 'Shop');
  expect([claim.code, claim.err]).toEqual([64, expect.stringContaining('--claim takes one email address')]);
});
