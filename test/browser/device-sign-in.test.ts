import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { call, PASSWORD, signUp } from '@tonerow/test-support/http.ts';
import { TOTP } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { ALL_LOOKS, breakCalls, expectGoodLooks, screenshot } from './dashboard.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

describe('a terminal that is signed in from the browser', { timeout: 60_000 }, () => {
  const { server, openPage } = browserSuite();

  const start = async (machine = 'build-07') =>
    (
      await call(server, 'POST', '/api/auth/device', {
        body: { machine },
        headers: { 'user-agent': 'tonerow-cli/1.0.0' },
      })
    ).body as { device_code: string; user_code: string };
  const poll = ({ device_code }: { device_code: string }) =>
    call(server, 'POST', '/api/auth/device/token', {
      body: { grant_type: GRANT, device_code },
      headers: { 'user-agent': 'tonerow-cli/1.0.0' },
    });

  it('is confirmed by its owner, who signs in with a second factor on the way, and is listed in Settings', async () => {
    const ada = await signUp(server);
    const twoFactor = (path: string, body: object) =>
      call(server, 'POST', `/api/account/two-factor${path}`, { token: ada.token, body });
    const { secret } = (await twoFactor('/setup', { password: PASSWORD })).body;
    const code = (steps = 0) => new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });
    expect((await twoFactor('/enable', { code: code() })).status).toBe(200);

    const terminal = await start();
    const page = await openPage();
    await page.goto(`/device?code=${terminal.user_code}`);
    await page.getByLabel('Email').fill(ada.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Code').fill(code(1));
    await page.getByRole('button', { name: 'Sign in' }).click();

    await expect(page.getByRole('heading', { name: 'Sign in a terminal' })).toBeVisible();
    await expect(page.getByText(terminal.user_code)).toBeVisible();
    await expect(page.getByText('build-07')).toBeVisible();
    await expect(page.getByText('Tonerow CLI')).toBeVisible();
    await expect(page.getByText(`Signed in as ${ada.email}.`)).toBeVisible();
    await expectGoodLooks(page, 'terminal-compare', { looks: ALL_LOOKS });
    expect((await poll(terminal)).body.error).toBe('authorization_pending');
    await page.getByRole('button', { name: 'The codes match: sign in' }).click();
    await expect(page.getByRole('heading', { name: 'The terminal may sign in' })).toBeVisible();
    await expectGoodLooks(page, 'terminal-approved');
    expect((await poll(terminal)).body.user.email).toBe(ada.email);

    await page.getByRole('link', { name: 'Go to the dashboard' }).click();
    await page.goto('/dashboard/settings#sessions');
    const row = page.getByRole('listitem').filter({ hasText: 'build-07' });
    await expect(row.getByText('Tonerow CLI')).toBeVisible();
    await row.scrollIntoViewIfNeeded();
    await screenshot(page, 'sessions-with-terminal');
    await row.getByRole('button', { name: 'Revoke' }).click();
    await expect(row).not.toBeAttached();
  });

  it('is found by a code that is typed, and denied', async () => {
    const terminal = await start('');
    const page = await openPage({ as: await signUp(server) });
    await page.goto('/device');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByText('Enter the code.')).toBeVisible();
    await page.getByLabel('Code').fill('AEIO-UAEI');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByText('The code has eight characters, none of them a vowel')).toBeVisible();
    await expectGoodLooks(page, 'terminal-enter', { looks: ALL_LOOKS });
    await page.getByLabel('Code').fill(terminal.user_code.toLowerCase().replace('-', ' '));
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByText('It gave no name')).toBeVisible();
    await page.getByRole('button', { name: 'Deny' }).click();
    await expect(page.getByRole('heading', { name: 'You denied the sign-in' })).toBeVisible();
    expect((await poll(terminal)).body.error).toBe('access_denied');
    // the answer is shown again, and the question is not
    await page.reload();
    await expect(page.getByRole('heading', { name: 'You denied the sign-in' })).toBeVisible();
  });

  it('is not found by a code that is unknown, or has expired while it was looked at', async () => {
    const page = await openPage({ as: await signUp(server) });
    await page.goto('/device?code=BBBB-BBBB');
    await expect(page.getByText('No terminal is waiting with this code.')).toBeVisible();
    await expectGoodLooks(page, 'terminal-unknown');
    await page.getByRole('button', { name: 'Enter another code' }).click();
    const terminal = await start();
    await page.getByLabel('Code').fill(terminal.user_code);
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByRole('button', { name: 'Deny' })).not.toBeDisabled();
    await server.db.query("update device_sign_ins set expires_at = now() where machine = 'build-07'");
    await page.getByRole('button', { name: 'Deny' }).click();
    await expect(page.getByText('No terminal is waiting with this code.')).toBeVisible();
  });

  it('can be looked up again when the server could not be reached', async () => {
    const terminal = await start();
    const page = await openPage({ as: await signUp(server) });
    const mend = await breakCalls(page, '**/api/auth/device/find', { status: 503, body: '' });
    await page.goto(`/device?code=${terminal.user_code}`);
    await expect(page.getByText("The terminal couldn't be looked up")).toBeVisible();
    await mend();
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByText('build-07')).toBeVisible();
  });
});
