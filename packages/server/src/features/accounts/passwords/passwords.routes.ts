import { callerOf } from '#platform/access/guard.ts';
import { sessionToken } from '#platform/access/session-tokens.ts';
import type { App } from '#platform/http/app-kit.ts';
import { answers, Message, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import { deviceOf } from '#platform/network/device.ts';
import { limits } from '../limits.ts';
import type { PasswordChanges } from './password-changes.service.ts';
import * as s from './passwords.schemas.ts';

export function passwordRoutes(passwords: PasswordChanges) {
  return async (app: App): Promise<void> => {
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
  };
}
