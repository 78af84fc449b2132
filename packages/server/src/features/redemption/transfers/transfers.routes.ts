import { callerOf } from '#platform/access/guard.ts';
import type { App } from '#platform/http/app-kit.ts';
import { IdParams, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import { TransferBody, TransferredSerial } from './transfers.schemas.ts';
import type { Transfers } from './transfers.ts';

export function transferRoutes(transfers: Transfers) {
  return async (app: App): Promise<void> => {
    app.post(
      '/api/serials/:id/transfer',
      {
        config: { access: { as: 'user', role: 'developer', scope: 'serials:write', verified: true } },
        schema: {
          operationId: 'transferSerial',
          tags: ['serials'],
          summary: 'Give a redeemed serial to another customer',
          description:
            'Both get an email. Its downloads and machines stay, and so does the ledger. At most five times an hour for one serial.',
          params: IdParams,
          body: TransferBody,
          response: privateAnswers({ 200: TransferredSerial }, 404, ...WRITE),
        },
      },
      async (request) => transfers.transfer(callerOf(request), request.params.id, request.body),
    );
  };
}
