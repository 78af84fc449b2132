import { callerOf } from '#platform/access/guard.ts';
import { abortSignal, asFile, jsonOrCsv, orCsv } from '#platform/http/answers/negotiate.ts';
import type { App } from '#platform/http/app-kit.ts';
import { IdParams, privateAnswers } from '#platform/http/schemas.ts';
import * as s from './log.schemas.ts';
import type { BillingLogs } from './log.service.ts';

const admin = { as: 'admin' } as const;

/** What an admin may decide about an unpaid invoice. */
const DECISIONS = [
  {
    step: 'retry',
    operationId: 'retryBillingStatement',
    summary: 'Charge an unpaid invoice again, now',
    act: (logs: BillingLogs, adminId: string, id: string) => logs.retry(adminId, id),
  },
  {
    step: 'uncollectible',
    operationId: 'giveUpBillingStatement',
    summary: 'Stop trying to collect an invoice',
    act: (logs: BillingLogs, adminId: string, id: string) => logs.giveUp(adminId, id),
  },
  {
    step: 'void',
    operationId: 'voidBillingStatement',
    summary: 'Cancel an unpaid invoice',
    act: (logs: BillingLogs, adminId: string, id: string) => logs.void(adminId, id),
  },
] as const;

export function logRoutes(logs: BillingLogs) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/billing/logs',
      {
        config: { access: admin, stream: 'rows' },
        schema: {
          operationId: 'listBillingLogs',
          tags: ['admin'],
          summary: 'List what was charged, newest first',
          description: '`Accept: text/csv` streams all rows that match the filter.',
          querystring: s.ListBillingLogsQuery,
          response: privateAnswers({ 200: orCsv(s.BillingLogPage, 'A page of the log') }, 406),
        },
      },
      async (request, reply) => {
        const form = jsonOrCsv(request);
        if (form === 'json') return logs.list(request.query);
        const csv = await logs.export(callerOf(request).accountId, request.query, abortSignal(reply));
        return asFile(reply, 'csv', 'billing-log').send(csv);
      },
    );

    app.get(
      '/api/billing/logs/statements/:id',
      {
        config: { access: admin },
        schema: {
          operationId: 'getBillingStory',
          tags: ['admin'],
          summary: 'The whole story of one invoice',
          params: IdParams,
          response: privateAnswers({ 200: s.BillingStory }, 404),
        },
      },
      async (request) => logs.story(request.params.id),
    );

    for (const { step, operationId, summary, act } of DECISIONS) {
      app.post(
        `/api/billing/logs/statements/:id/${step}`,
        {
          config: { access: admin },
          schema: {
            operationId,
            tags: ['admin'],
            summary,
            description: 'Noted in the log with the admin. 409 when the invoice is not in a state that allows it.',
            params: IdParams,
            response: privateAnswers({ 200: s.BillingStory }, 404, 409),
          },
        },
        async (request) => act(logs, callerOf(request).accountId, request.params.id),
      );
    }
  };
}
