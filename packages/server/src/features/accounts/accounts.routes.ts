import { z } from 'zod';
import { imageForms, type Media } from '#features/media';
import { callerOf } from '#platform/access/guard.ts';
import { sessionToken } from '#platform/access/session-tokens.ts';
import type { App } from '#platform/http/app-kit.ts';
import { answers, Message, Ok, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import { deviceOf } from '#platform/network/device.ts';
import type { User } from './accounts.entity.ts';
import * as s from './accounts.schemas.ts';
import type { Accounts } from './accounts.service.ts';
import { accessTokenRoutes } from './credentials/access-tokens.routes.ts';
import { limits } from './limits.ts';
import type { PasswordChanges } from './passwords/password-changes.service.ts';
import type { Registration } from './registration/registration.service.ts';

interface Services {
  accounts: Accounts;
  registration: Registration;
  passwords: PasswordChanges;
  media: Media;
}

/** A file in a multipart form, held in memory: images of at most 10 MB. */
const File = z.any().optional().meta({ type: 'string', format: 'binary' });
const forms = ['application/json', 'multipart/form-data'];

export function accountRoutes({ accounts, registration, passwords, media }: Services) {
  return async (app: App): Promise<void> => {
    await imageForms(app, media, { fields: 30, fieldSize: 10_000 });

    app.post(
      '/api/auth/register',
      {
        config: { access: { as: 'public' }, rateLimit: limits.register, idempotent: 'answer' },
        schema: {
          operationId: 'registerDeveloper',
          tags: ['accounts'],
          summary: 'Register as a developer',
          description: 'The response is the same if the address already has an account; an email to it explains that.',
          consumes: forms,
          body: s.RegisterDeveloperBody.extend({ logo: File }),
          response: answers({ 201: Message }, ...WRITE),
        },
      },
      async (request, reply) => {
        const { logo, ...form } = request.body;
        await registration.register('developer', form, await media.storeImage(logo, 'logo'));
        return reply.code(201).send({ message: 'Registration successful!' });
      },
    );

    app.post(
      '/api/reseller/register',
      {
        config: { access: { as: 'public' }, rateLimit: limits.register, idempotent: 'answer' },
        schema: {
          operationId: 'registerReseller',
          tags: ['accounts'],
          summary: 'Register as a reseller',
          consumes: forms,
          body: s.RegisterResellerBody.extend({ logo_url: File }),
          response: answers({ 201: Message }, ...WRITE),
        },
      },
      async (request, reply) => {
        const { logo_url, ...form } = request.body;
        await registration.register('reseller', form, await media.storeImage(logo_url, 'logo_url'));
        return reply.code(201).send({ message: 'Registration successful!' });
      },
    );

    app.post(
      '/api/auth/login',
      {
        // failed sign-ins are counted once the body has named the account and the device
        config: { access: { as: 'public' } },
        schema: {
          operationId: 'login',
          tags: ['accounts'],
          summary: 'Sign in',
          description:
            'With two-factor sign-in on, `code` is required: from the authenticator app, or a recovery code. Keep `device_token` and send it with the next sign-in: failed sign-ins from elsewhere then never lock out this device.',
          body: s.LoginBody,
          response: answers({ 200: s.LoginAnswer }, 401, ...WRITE),
        },
      },
      async (request) => {
        const { session, user, deviceToken } = await accounts.login(request.body, deviceOf(request));
        return { token: sessionToken(app, session), user: userView(user), device_token: deviceToken };
      },
    );

    app.post(
      '/api/auth/logout',
      {
        config: { access: { as: 'session' } },
        schema: {
          operationId: 'logout',
          tags: ['accounts'],
          summary: 'Sign out',
          response: privateAnswers({ 200: Ok }),
        },
      },
      async (request) => {
        await accounts.logout(callerOf(request));
        return { ok: true as const };
      },
    );

    app.get(
      '/api/auth/me',
      {
        config: { access: { as: 'user', scope: 'account:read' } },
        schema: {
          operationId: 'getMe',
          tags: ['accounts'],
          summary: 'Get the signed-in account',
          response: privateAnswers({ 200: s.MeView }),
        },
      },
      async (request) => {
        const caller = callerOf(request);
        const credential = {
          type: caller.kind,
          id: caller.credentialId,
          scopes: caller.scopes,
          expires_at: caller.expiresAt,
        };
        return { ...userView(await accounts.me(caller)), credential };
      },
    );

    app.post(
      '/api/auth/forgot-password',
      {
        config: { access: { as: 'public' }, rateLimit: limits.password_reset },
        schema: {
          operationId: 'forgotPassword',
          tags: ['accounts'],
          summary: 'Request a password reset email',
          body: s.ForgotPasswordBody,
          response: answers({ 202: Message }, ...WRITE),
        },
      },
      async (request, reply) => {
        await passwords.forgot(request.body.email);
        return reply.code(202).send({ message: 'If the address has an account, an email is on its way.' });
      },
    );

    app.post(
      '/api/auth/reset-password',
      {
        config: { access: { as: 'public' }, rateLimit: limits.password_reset },
        schema: {
          operationId: 'resetPassword',
          tags: ['accounts'],
          summary: 'Choose a new password with the link from the email',
          description:
            'Ends every session, deletes every access token, and verifies the email address. In an account that was never verified it also switches two-factor sign-in off and hides the secrets of plugin keys for good.',
          body: s.ResetPasswordBody,
          response: answers({ 200: s.PasswordReset }, ...WRITE),
        },
      },
      async (request) => {
        const { token, password, device_token } = request.body;
        const place = { ip: request.ip, deviceToken: device_token };
        const deviceToken = await passwords.reset(token, password, place);
        return { message: 'Your password was changed. Sign in with the new one.', device_token: deviceToken };
      },
    );

    app.get(
      '/api/account/sessions',
      {
        config: { access: { as: 'session' } },
        schema: {
          operationId: 'listSessions',
          tags: ['account'],
          summary: 'List the sessions of the account',
          response: privateAnswers({ 200: z.array(s.SessionView) }),
        },
      },
      async (request) => accounts.sessions(callerOf(request)),
    );

    app.post(
      '/api/account/revoke-session',
      {
        config: { access: { as: 'session' } },
        schema: {
          operationId: 'revokeSession',
          tags: ['account'],
          summary: 'End one session',
          body: s.RevokeSessionBody,
          response: privateAnswers({ 200: Ok }, 404, ...WRITE),
        },
      },
      async (request) => {
        await accounts.revokeSession(callerOf(request), request.body.id);
        return { ok: true as const };
      },
    );

    app.post(
      '/api/account/update-password',
      {
        config: { access: { as: 'session' } },
        schema: {
          operationId: 'updatePassword',
          tags: ['account'],
          summary: 'Change the password',
          description:
            'Ends every session and deletes every access token; the response has the token of a new session.',
          body: s.UpdatePasswordBody,
          response: privateAnswers({ 200: s.NewSession }, ...WRITE),
        },
      },
      async (request) => {
        const { oldPassword, newPassword } = request.body;
        const session = await passwords.change(callerOf(request), oldPassword, newPassword, deviceOf(request));
        return { message: 'Password updated.', token: sessionToken(app, session) };
      },
    );

    app.get(
      '/api/account/deletion',
      {
        config: { access: { as: 'session' } },
        schema: {
          operationId: 'getAccountDeletion',
          tags: ['account'],
          summary: 'See what deleting the account now would leave unpaid, close and bill',
          response: privateAnswers({ 200: s.AccountDeletion }),
        },
      },
      async (request) => accounts.deletion(callerOf(request)),
    );

    app.delete(
      '/api/account/delete',
      {
        config: { access: { as: 'session' } },
        schema: {
          operationId: 'deleteAccount',
          tags: ['account'],
          summary: 'Delete the account for good',
          description:
            'Ends every partnership; what was sold and paid stays in the ledger of both sides. While payout statements are unpaid it is refused with `unpaid_statements`, unless `unpaid` is true. A developer’s months are closed, also the current one, and billed once more.',
          body: s.DeleteAccountBody,
          response: privateAnswers({ 200: Message }, ...WRITE),
        },
      },
      async (request) => {
        await accounts.deleteAccount(callerOf(request), request.body, deviceOf(request));
        return { message: 'Account deleted successfully.' };
      },
    );

    await app.register(accessTokenRoutes(accounts.tokens));
  };
}

function userView(user: User): s.UserView {
  return {
    id: user.id,
    role: user.role,
    is_reseller: user.role === 'reseller',
    is_admin: user.isAdmin,
    email: user.email,
    email_verified: user.emailVerifiedAt != null,
    first_name: user.firstName,
    last_name: user.lastName,
    company_name: user.companyName ?? null,
    website_url: user.websiteUrl ?? null,
    support_email: user.supportEmail ?? null,
    support_url: user.supportUrl ?? null,
    brand_color: user.brandColor,
    logo_url: user.logoUrl ?? null,
    business_address: user.businessAddress ?? null,
    tax_id: user.taxId ?? null,
    time_zone: user.timeZone,
    plan: user.plan,
    created_at: user.createdAt,
  };
}
