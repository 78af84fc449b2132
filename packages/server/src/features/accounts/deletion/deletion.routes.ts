import { callerOf } from '#platform/access/guard.ts';
import type { App } from '#platform/http/app-kit.ts';
import { Message, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import { deviceOf } from '#platform/network/device.ts';
import * as s from './deletion.schemas.ts';
import type { AccountDeletions } from './deletion.service.ts';

export function deletionRoutes(deletions: AccountDeletions) {
  return async (app: App): Promise<void> => {
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
      async (request) => deletions.preview(callerOf(request)),
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
        await deletions.delete(callerOf(request), request.body, deviceOf(request));
        return { message: 'Account deleted successfully.' };
      },
    );
  };
}
