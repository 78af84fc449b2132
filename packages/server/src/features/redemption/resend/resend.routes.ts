import { callerOf } from '#platform/access/guard.ts';
import type { App } from '#platform/http/app-kit.ts';
import { IdParams, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import { ResentEmail } from './resend.schemas.ts';
import type { Resending } from './resend.ts';

export function resendRoutes(resending: Resending) {
  return async (app: App): Promise<void> => {
    app.post(
      '/api/serials/:id/resend-email',
      {
        config: { access: { as: 'user', role: 'developer', scope: 'serials:write', verified: true } },
        schema: {
          operationId: 'resendSerialEmail',
          tags: ['serials'],
          summary: 'Send the customer the email of the redemption again',
          description: 'Also when emails to customers are switched off. At most five times an hour for one serial.',
          params: IdParams,
          response: privateAnswers({ 200: ResentEmail }, 404, ...WRITE),
        },
      },
      async (request) => resending.resend(callerOf(request), request.params.id),
    );
  };
}
