import { z } from 'zod';
import { callerOf } from '#platform/access/guard.ts';
import { sessionToken } from '#platform/access/session-tokens.ts';
import type { App } from '#platform/http/app-kit.ts';
import { answers, Ok, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import { deviceOf } from '#platform/network/device.ts';
import * as s from './sign-in.schemas.ts';
import type { SignIn } from './sign-in.service.ts';

export function signInRoutes(signIn: SignIn) {
  return async (app: App): Promise<void> => {
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
        const { session, user: account, deviceToken } = await signIn.login(request.body, deviceOf(request));
        return { token: sessionToken(app, session), user: account, device_token: deviceToken };
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
        await signIn.logout(callerOf(request));
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
        return { ...(await signIn.me(caller)), credential };
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
      async (request) => signIn.sessions(callerOf(request)),
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
        await signIn.revokeSession(callerOf(request), request.body.id);
        return { ok: true as const };
      },
    );
  };
}
