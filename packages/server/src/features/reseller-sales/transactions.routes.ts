import { callerOf } from '#platform/access/guard.ts';
import { abortSignal, asFile, jsonOrCsv, orCsv } from '#platform/http/answers/negotiate.ts';
import type { App } from '#platform/http/app-kit.ts';
import { privateAnswers } from '#platform/http/schemas.ts';
import { read } from './sales.routes.ts';
import * as s from './sales.schemas.ts';
import type { SalesLists } from './transactions.service.ts';

export function transactionRoutes(lists: SalesLists) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/reseller/customers',
      {
        config: { access: read, stream: 'rows' },
        schema: {
          operationId: 'listResellerCustomers',
          tags: ['sales'],
          summary: 'List who redeemed a serial that the reseller was given, newest first',
          description: '`Accept: text/csv` streams all that match the filter.',
          querystring: s.CustomersQuery,
          response: privateAnswers({ 200: orCsv(s.ResellerCustomerPage, 'A page of customers') }, 406),
        },
      },
      async (request, reply) => {
        const form = jsonOrCsv(request);
        const caller = callerOf(request);
        if (form === 'json') return lists.customers(caller, request.query);
        const rows = await lists.customersCsv(caller, request.query, abortSignal(reply));
        return asFile(reply, form, 'customers').send(rows);
      },
    );

    app.get(
      '/api/reseller/transactions/choices',
      {
        config: { access: read },
        schema: {
          operationId: 'listTransactionChoices',
          tags: ['sales'],
          summary: 'What transactions can be filtered by, with counts',
          description:
            'Products and developers are counted whole as long as only they are filtered by; the rest among the newest 10,000, of each developer as many.',
          querystring: s.TransactionFilterQuery,
          response: privateAnswers({ 200: s.TransactionChoiceCounts }),
        },
      },
      async (request) => lists.choices(callerOf(request), request.query),
    );

    app.get(
      '/api/reseller/transactions',
      {
        config: { access: read, stream: 'rows' },
        schema: {
          operationId: 'listTransactions',
          tags: ['sales'],
          summary: 'List a reseller’s redemptions and refunds, newest first',
          description:
            'A refund is a row of its own with negative amounts. `Accept: text/csv` streams all that match the filter.',
          querystring: s.TransactionsQuery,
          response: privateAnswers({ 200: orCsv(s.TransactionPage, 'A page of transactions') }, 406),
        },
      },
      async (request, reply) => {
        const form = jsonOrCsv(request);
        const caller = callerOf(request);
        if (form === 'json') return lists.transactions(caller, request.query);
        const rows = await lists.transactionsCsv(caller, request.query, abortSignal(reply));
        return asFile(reply, form, 'transactions').send(rows);
      },
    );
  };
}
