import { browserSuite } from '@tonerow/test-support/browser-suite.ts';
import { PASSWORD, signUp } from '@tonerow/test-support/http.ts';
import { describe, expect, it } from 'vitest';
import { ALL_LOOKS, expectAccessible, expectGoodLooks, post, screenshot } from './dashboard.ts';

describe('an account in a browser', { timeout: 60_000 }, () => {
  const { server, openPage } = browserSuite();

  const linkFor = async (email: string) => {
    const { text } = await server.email(
      (message) => message.to?.[0]?.address === email && message.subject === 'Verify your email address',
    );
    return /\/verify-email\?token=\S+/.exec(text ?? '')?.[0] as string;
  };

  it('lists in a banner what an unverified account can’t do, and verifies it by the link from the email', async () => {
    const person = await signUp(server);
    const page = await openPage({ as: person });
    await page.goto('/dashboard/customers');
    const banner = page.getByRole('region', { name: 'Verify your email address' });
    await expect(banner.getByText('use your own domain or choose a paid plan')).toBeVisible();
    await banner.getByRole('button', { name: 'Resend email' }).click();
    await expect(page.locator('[data-sonner-toast]').getByText('Email sent.')).toBeVisible();

    // just opening the link, as email scanners do, verifies nothing
    await page.goto(await linkFor(person.email));
    await expect(page.getByRole('button', { name: 'Verify email address' })).toBeVisible();
    expect(
      await server.db.query('select 1 from users where email = $1 and email_verified_at is null', [person.email]),
    ).toHaveLength(1);
    await page.getByRole('button', { name: 'Verify email address' }).click();
    await page.getByRole('link', { name: 'Go to the dashboard' }).click();
    await expect(page.getByRole('heading', { name: 'Customers Hub' })).toBeVisible();
    await expect(banner).not.toBeAttached();
  });

  it('explains before anything is typed what waits for a verified address, and sends the email again there', async () => {
    const as = await signUp(server);
    const product = await post<{ id: string }>(
      server.url,
      '/api/products',
      { name: 'Prism Delay', short_desc: 'x', price: 9, file_urls: [] },
      as.token,
    );
    expect(product.id).toBeTruthy();
    const page = await openPage({ as });
    for (const [path, opens, submits] of [
      ['/dashboard/resellers', 'Invite reseller', 'Send invite'],
      ['/developer/tools/webhooks', 'Add webhook', 'Add webhook'],
      ['/developer/tools/branding', null, 'Activate Domain'],
    ] as const) {
      await page.goto(path);
      if (opens) await page.getByRole('button', { name: opens }).click();
      const form = page.locator('form').filter({ hasText: submits });
      await expect(form.getByText('Verify your email address first.')).toBeVisible();
      await expect(form.getByRole('button', { name: submits })).toBeDisabled();
      await expectAccessible(page);
      await screenshot(page, `unverified ${path.split('/').at(-1)}`);
      await form.getByRole('button', { name: 'Resend email' }).click();
      await expect(page.locator('[data-sonner-toast]').getByText('Email sent.').last()).toBeVisible();
    }
    const shop = await signUp(server, 'reseller');
    const other = await openPage({ as: shop });
    await other.goto('/reseller/partners');
    await other.getByRole('button', { name: 'Invite' }).first().click();
    await expect(other.getByRole('dialog').getByText('Verify your email address first.')).toBeVisible();
    // a forbidden act is offered as soon as it is allowed
    await server.db.query('update users set email_verified_at = now() where email = $1', [shop.email]);
    await other.reload();
    await other.getByRole('button', { name: 'Invite' }).first().click();
    await expect(other.getByRole('dialog').getByRole('button', { name: 'Send invite' })).not.toBeDisabled();
    expect(await other.getByText('Verify your email address first.').count()).toBe(0);
  });

  it('sends a new link where the old one no longer works', async () => {
    const page = await openPage();
    await page.goto('/verify-email?token=gone');
    await page.getByRole('button', { name: 'Verify email address' }).click();
    await expect(page.getByText('This link is expired or incomplete.')).toBeVisible();
    await page.getByLabel('Email').fill('nobody@example.com');
    await page.getByRole('button', { name: 'Send a new link' }).click();
    await expect(page.getByText('an email is on its way')).toBeVisible();
  });

  it('shows before a new password which access tokens it deletes', async () => {
    const person = await signUp(server);
    for (const name of ['CI', 'Nightly build'])
      await post(server.url, '/api/account/tokens', { name, scopes: ['account:read'] }, person.token);
    const page = await openPage({ as: person });
    await page.goto('/dashboard/settings');
    await expect(page.getByText('Your access tokens Nightly build, CI are deleted too')).toBeVisible();
    await screenshot(page, 'password-with-tokens');
    await page.getByLabel('Current password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('New password', { exact: true }).fill('another row of notes');
    await page.getByRole('button', { name: 'Update Password' }).click();
    await expect(page.locator('[data-sonner-toast]').getByText('Password updated.')).toBeVisible();
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Access tokens' }).click();
    await expect(page.getByText('No access tokens yet')).toBeVisible();
  });

  it('revokes the session in use only after asking, and logs out', async () => {
    const person = await signUp(server);
    const page = await openPage({ as: person });
    await page.goto('/dashboard/settings#sessions');
    const current = page.getByRole('listitem').filter({ hasText: 'Current' }).filter({ hasText: 'Last seen' });
    await current.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await current.getByRole('button', { name: 'Revoke' }).click();
    await expect(page.getByText('you will be signed out of this browser')).toBeVisible();
    await screenshot(page, 'revoke-current-session');
    await page.getByRole('button', { name: 'Revoke and sign out' }).click();
    await page.waitForURL('**/login');
  });

  it('shows no secret of a plugin key that a stranger may know, and offers a new one', async () => {
    const stranger = await signUp(server);
    await post(server.url, '/api/developer/plugin-keys', { label: 'Not yours' }, stranger.token);
    await post(server.url, '/api/auth/forgot-password', { email: stranger.email });
    const { text } = await server.email(
      (email) => email.to?.[0]?.address === stranger.email && email.subject === 'Choose a new password',
    );
    const page = await openPage();
    await page.goto(/\/reset-password\?token=\S+/.exec(text ?? '')?.[0] as string);
    await expect(page.getByText('every access token and trust for CI is deleted')).toBeVisible();
    await page.getByLabel('New password', { exact: true }).fill('the owner of the address');
    await page.getByRole('button', { name: 'Save the password' }).click();
    await page.getByLabel('Email').fill(stranger.email);
    await page.getByLabel('Password', { exact: true }).fill('the owner of the address');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('heading', { name: 'Customers Hub' })).toBeVisible();
    await page.goto('/developer/tools/licensingapi');
    await expect(page.getByText('This secret can no longer be shown')).toBeVisible();
    await expect(page.getByRole('button', { name: /^(Reveal|Fill in key)/ })).toHaveCount(0);
    await expectAccessible(page);
    await screenshot(page, 'withheld-key');
  });

  it('shows the server that it is a known device, also after logging out', async () => {
    const person = await signUp(server);
    const page = await openPage();
    const login = async () => {
      await page.goto('/login');
      const sent = page.waitForRequest('**/api/auth/login');
      await page.getByLabel('Email').fill(person.email);
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL('**/dashboard/**');
      return (await sent).postDataJSON().device_token;
    };
    expect(await login()).toBeUndefined();
    await page.goto('/dashboard/settings');
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page.getByRole('heading', { name: 'Sign in to Tonerow' })).toBeVisible();
    expect(await login()).toMatch(/^tnr_dev_/);
  });

  it('shows before the account is deleted what happens to serials and customers', async () => {
    const person = await signUp(server);
    const page = await openPage({ as: person });
    await page.goto('/dashboard/settings');
    await page.getByRole('button', { name: 'Delete Account Permanently' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText('What your customers own keeps working, and we notify them by email.')).toBeVisible();
    await expectAccessible(page);
    await screenshot(page, 'delete-account');
    await dialog.getByLabel('Your password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Delete my account' }).click();
    await expect(page.locator('[data-sonner-toast]').getByText('Account deleted successfully.')).toBeVisible();
  });

  it('lets a reseller choose emails, branding, and a token’s scopes', async () => {
    const person = await signUp(server, 'reseller');
    const page = await openPage({ as: person });
    await page.goto('/reseller/settings');
    await page.getByLabel('Tax id').fill('MI-12345');
    await page.getByLabel('Support URL').fill('shop.example/help');
    await page.getByRole('button', { name: 'Save Profile' }).click();
    await expect(page.getByText('Settings saved!')).toBeVisible();
    await expect(page.getByText('Settings saved!')).not.toBeAttached();
    await page.getByRole('switch', { name: 'New deals' }).click();
    await page.getByLabel('How often').selectOption('One email each');
    await page.getByRole('button', { name: 'Save Settings' }).click();
    await expect(page.getByText('Settings saved!')).toBeVisible();
    const saved = await fetch(`${server.url}/api/reseller/settings`, {
      headers: { authorization: `Bearer ${person.token}` },
    });
    expect(await saved.json()).toMatchObject({
      tax_id: 'MI-12345',
      support_url: 'https://shop.example/help',
      notify_deals: false,
      notify_inquiries: true,
      redemption_emails: 'each',
    });
    await page.getByRole('button', { name: 'Update Password' }).click();
    await expect(page.getByText('Fill in both fields.')).toBeVisible();
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Access tokens' }).click();
    await page.getByRole('button', { name: 'Create token' }).click();
    await expect(page.getByText('stock:write')).toBeVisible();
    await expect(page.getByText('keys:write')).toHaveCount(0);
  });

  it('trusts the jobs of a repository, changes what they may do, and no longer trusts them', async () => {
    const person = await signUp(server);
    const page = await openPage({ as: person });
    await page.goto('/dashboard/settings#trusts');
    await expect(page.getByText('No trusts yet')).toBeVisible();
    await page.getByRole('button', { name: 'Add trust' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('release');
    await dialog.getByRole('button', { name: 'Add trust' }).click();
    await expect(dialog.getByText('Enter the number of the repository.')).toBeVisible();
    await dialog.getByLabel('Service').selectOption('own');
    await dialog.getByLabel('Project id').fill('4711');
    await dialog.getByLabel('Its address').fill('http://gitlab.example.com');
    await dialog.getByRole('button', { name: 'Add trust' }).click();
    // a mistake that only the server knows is shown beside its field
    await expect(dialog.getByText('The address must begin with https.')).toBeVisible();
    await expectGoodLooks(page, 'trust-form', { looks: ALL_LOOKS });
    await dialog.getByLabel('Its address').fill('https://gitlab.example.com');
    await dialog.getByRole('button', { name: 'Add trust' }).click();
    await expect(page.getByText('Project 4711 at gitlab.example.com · branch main')).toBeVisible();
    await expectGoodLooks(page, 'trusts', { looks: ALL_LOOKS });

    await page.getByRole('button', { name: 'Edit release' }).click();
    await dialog.getByLabel('Branch').fill('');
    await dialog.getByLabel('Environment').fill('production');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Project 4711 at gitlab.example.com · environment production')).toBeVisible();
    await page.getByRole('button', { name: 'Delete release' }).click();
    await page.getByRole('button', { name: 'Delete trust' }).click();
    await expect(page.getByText('No trusts yet')).toBeVisible();
  });

  it.each(['developer', 'reseller'] as const)(
    'shows the banner to a %s in both themes, on a desk and on a phone',
    async (kind) => {
      const person = await signUp(server, kind);
      const page = await openPage({ as: person });
      await page.goto(kind === 'developer' ? '/dashboard/customers' : '/reseller/settings');
      await expect(page.getByRole('button', { name: 'Resend email' })).toBeVisible();
      await expect(page.getByRole('heading').first()).toBeVisible();
      await expectGoodLooks(page, `banner-${kind}`, { looks: ALL_LOOKS });
    },
  );
});
