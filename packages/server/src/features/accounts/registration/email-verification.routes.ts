import type { App } from '#platform/http/app-kit.ts';
import { answers, Message, WRITE } from '#platform/http/schemas.ts';
import { limits } from '../limits.ts';
import * as s from './email-verification.schemas.ts';
import type { EmailVerifications } from './email-verification.service.ts';

export function emailVerificationRoutes(verifications: EmailVerifications) {
  return async (app: App): Promise<void> => {
    app.post(
      '/api/auth/verify-email',
      {
        config: { access: { as: 'public' }, rateLimit: limits.verify_email },
        schema: {
          operationId: 'verifyEmail',
          tags: ['accounts'],
          summary: 'Verify an email address with the token from the email',
          description: 'Repeating it changes nothing.',
          body: s.VerifyEmailBody,
          response: answers({ 200: Message }, ...WRITE),
        },
      },
      async (request) => {
        await verifications.verify(request.body.token);
        return { message: 'Your email address is verified.' };
      },
    );

    app.post(
      '/api/auth/resend-verification',
      {
        config: { access: { as: 'public' }, rateLimit: limits.password_reset },
        schema: {
          operationId: 'resendVerification',
          tags: ['accounts'],
          summary: 'Ask for another verification email',
          description: 'The response is the same for every address.',
          body: s.ResendVerificationBody,
          response: answers({ 202: Message }, ...WRITE),
        },
      },
      async (request, reply) => {
        await verifications.resend(request.body.email);
        return reply
          .code(202)
          .send({ message: 'If this address has an account that is not verified yet, an email is on its way.' });
      },
    );
  };
}
