import { callerOf } from '#platform/access/guard.ts';
import type { App } from '#platform/http/app-kit.ts';
import { Ok, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import { deviceOf } from '#platform/network/device.ts';
import * as s from './two-factor.schemas.ts';
import type { TwoFactor } from './two-factor.service.ts';

export function twoFactorRoutes(twoFactor: TwoFactor) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/account/two-factor',
      {
        config: { access: { as: 'session' } },
        schema: {
          operationId: 'getTwoFactor',
          tags: ['account'],
          summary: 'Get the two-factor status',
          response: privateAnswers({ 200: s.TwoFactorView }),
        },
      },
      async (request) => twoFactor.status(callerOf(request)),
    );

    app.post(
      '/api/account/two-factor/setup',
      {
        config: { access: { as: 'session' } },
        schema: {
          operationId: 'setUpTwoFactor',
          tags: ['account'],
          summary: 'Get a secret for an authenticator app',
          description:
            'Two-factor sign-in stays off until the app’s first code is confirmed. A new secret replaces a pending one.',
          body: s.PasswordBody,
          response: privateAnswers({ 200: s.TwoFactorSetup }, ...WRITE),
        },
      },
      async (request) => twoFactor.setUp(callerOf(request), request.body.password),
    );

    app.post(
      '/api/account/two-factor/enable',
      {
        config: { access: { as: 'session' } },
        schema: {
          operationId: 'enableTwoFactor',
          tags: ['account'],
          summary: 'Switch two-factor sign-in on',
          description: 'Existing sessions stay signed in.',
          body: s.EnableTwoFactorBody,
          response: privateAnswers({ 200: s.RecoveryCodes }, ...WRITE),
        },
      },
      async (request) => ({
        recovery_codes: await twoFactor.enable(callerOf(request), request.body.code, deviceOf(request)),
      }),
    );

    app.post(
      '/api/account/two-factor/disable',
      {
        config: { access: { as: 'session' } },
        schema: {
          operationId: 'disableTwoFactor',
          tags: ['account'],
          summary: 'Switch two-factor sign-in off',
          body: s.DisableTwoFactorBody,
          response: privateAnswers({ 200: Ok }, ...WRITE),
        },
      },
      async (request) => {
        const { password, code } = request.body;
        await twoFactor.disable(callerOf(request), password, code, deviceOf(request));
        return { ok: true as const };
      },
    );

    app.post(
      '/api/account/two-factor/recovery-codes',
      {
        config: { access: { as: 'session' } },
        schema: {
          operationId: 'renewRecoveryCodes',
          tags: ['account'],
          summary: 'Replace all recovery codes',
          body: s.PasswordBody,
          response: privateAnswers({ 200: s.RecoveryCodes }, ...WRITE),
        },
      },
      async (request) => ({
        recovery_codes: await twoFactor.renewRecoveryCodes(callerOf(request), request.body.password, deviceOf(request)),
      }),
    );
  };
}
