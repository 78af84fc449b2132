import { callerOf } from '#platform/access/guard.ts';
import { abortSignal, asFile, jsonOrCsv, orCsv } from '#platform/http/answers/negotiate.ts';
import type { App } from '#platform/http/app-kit.ts';
import { privateAnswers } from '#platform/http/schemas.ts';
import { BillingDifferencePage, ListBillingDifferencesQuery } from './differences.schemas.ts';
import type { Reconciliation } from './reconcile.service.ts';

export function differenceRoutes(reconciliation: Reconciliation) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/billing/differences',
      {
        config: { access: { as: 'admin' }, stream: 'rows' },
        schema: {
          operationId: 'listBillingDifferences',
          tags: ['admin'],
          summary: 'List what the last reconciliation found to differ',
          description:
            'Every day, invoices are compared with Stripe’s and with the ledger. Nothing is repaired; what has gone by the next time is listed no more. `Accept: text/csv` streams all of them.',
          querystring: ListBillingDifferencesQuery,
          response: privateAnswers({ 200: orCsv(BillingDifferencePage, 'A page of them, and the last run') }, 406),
        },
      },
      async (request, reply) => {
        const form = jsonOrCsv(request);
        if (form === 'json') return reconciliation.list(request.query);
        const csv = await reconciliation.export(callerOf(request).accountId, abortSignal(reply));
        return asFile(reply, 'csv', 'billing-differences').send(csv);
      },
    );
  };
}
