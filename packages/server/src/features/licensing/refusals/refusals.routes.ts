import { callerOf } from '#platform/access/guard.ts';
import type { App } from '#platform/http/app-kit.ts';
import { privateAnswers } from '#platform/http/schemas.ts';
import { ListRefusalsQuery, RefusalPage } from './refusals.schemas.ts';
import type { Refusals } from './refusals.ts';

export function refusalRoutes(refusals: Refusals) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/license/refusals',
      {
        config: { access: { as: 'user', role: 'developer', scope: 'serials:read' } },
        schema: {
          operationId: 'listLicenseRefusals',
          tags: ['licensing'],
          summary: 'List license calls and redemptions refused in the last 7 days, newest first',
          description:
            'Identical refusals within one second are one row. New ones appear after a short delay. Codes that do not exist are not listed.',
          querystring: ListRefusalsQuery,
          response: privateAnswers({ 200: RefusalPage }),
        },
      },
      async (request) => refusals.list(callerOf(request).accountId, request.query),
    );
  };
}
