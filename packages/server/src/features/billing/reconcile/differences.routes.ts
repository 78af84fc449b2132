import type { App } from '../../../platform/http/app-kit.ts';
import { privateAnswers } from '../../../platform/http/schemas.ts';
import { BillingDifferencePage, ListBillingDifferencesQuery } from './differences.schemas.ts';
import type { Reconciliation } from './reconcile.service.ts';

export function differenceRoutes(reconciliation: Reconciliation) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/billing/differences',
      {
        config: { access: { as: 'admin' } },
        schema: {
          operationId: 'listBillingDifferences',
          tags: ['admin'],
          summary: 'List what the last reconciliation found to differ',
          description:
            'Every day, invoices are compared with Stripe’s and with the ledger. Nothing is repaired; what has gone by the next time is listed no more.',
          querystring: ListBillingDifferencesQuery,
          response: privateAnswers({ 200: BillingDifferencePage }),
        },
      },
      async (request) => reconciliation.list(request.query),
    );
  };
}
