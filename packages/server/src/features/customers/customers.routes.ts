import { z } from 'zod';
import { callerOf } from '#platform/access/guard.ts';
import { reportWithheld } from '#platform/access/withhold.ts';
import { abortSignal, asFile } from '#platform/http/answers/negotiate.ts';
import type { App } from '#platform/http/app-kit.ts';
import { IdParams, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import type { CustomerChanges } from './customer-changes.service.ts';
import type { CustomerLists } from './customer-lists.service.ts';
import * as s from './customers.schemas.ts';

const read = { as: 'user', role: 'developer', scope: 'customers:read' } as const;
const write = { as: 'user', role: 'developer', scope: 'customers:write' } as const;

export function customerRoutes(customers: CustomerLists, changes: CustomerChanges) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/customers/list',
      {
        config: { access: read },
        schema: {
          operationId: 'listCustomers',
          tags: ['customers'],
          summary: 'List customers, newest first',
          querystring: s.CustomersQuery,
          response: privateAnswers({ 200: s.CustomerPage }),
        },
      },
      async (request) => customers.page(callerOf(request), request.query),
    );

    app.get(
      '/api/customers/export',
      {
        config: { access: read, stream: 'bulk' },
        schema: {
          operationId: 'exportCustomers',
          tags: ['customers'],
          summary: 'Export matching customers as CSV',
          querystring: s.CustomerFilterQuery,
          response: privateAnswers({
            200: { description: 'A CSV', content: { 'text/csv': { schema: z.string() } } },
          }),
        },
      },
      async (request, reply) => {
        const caller = callerOf(request);
        const rows = await customers.csv(caller, request.query, abortSignal(reply));
        reportWithheld(reply, caller, 'codes');
        return asFile(reply, 'csv', 'customers').send(rows);
      },
    );

    app.get(
      '/api/customers/choices',
      {
        config: { access: read },
        schema: {
          operationId: 'listCustomerChoices',
          tags: ['customers'],
          summary: 'What customers can be filtered by, with counts',
          description: 'Counted among the newest 10,000 that fit the other filters.',
          querystring: s.CustomerFilterQuery,
          response: privateAnswers({ 200: s.CustomerChoiceCounts }),
        },
      },
      async (request) => customers.choices(callerOf(request), request.query),
    );

    app.get(
      '/api/customers/:id',
      {
        config: { access: read },
        schema: {
          operationId: 'getCustomer',
          tags: ['customers'],
          summary: 'Get a customer with serials, machines and activity',
          params: IdParams,
          response: privateAnswers({ 200: s.CustomerDetail }, 404),
        },
      },
      async (request) => customers.get(callerOf(request), request.params.id),
    );

    app.get(
      '/api/customers/:id/activity',
      {
        config: { access: read },
        schema: {
          operationId: 'listCustomerActivity',
          tags: ['customers'],
          summary: 'List what happened with a customer and their serials, newest first',
          params: IdParams,
          querystring: s.ActivityQuery,
          response: privateAnswers({ 200: s.ActivityPage }, 404),
        },
      },
      async (request) => customers.activity(callerOf(request), request.params.id, request.query),
    );

    app.get(
      '/api/customers/:id/data',
      {
        config: { access: read },
        schema: {
          operationId: 'exportCustomerData',
          tags: ['customers'],
          summary: 'Export everything stored about a customer',
          params: IdParams,
          response: privateAnswers({ 200: s.CustomerDetail }, 404),
        },
      },
      async (request, reply) => {
        const data = await customers.everything(callerOf(request), request.params.id);
        reply.header('content-disposition', `attachment; filename="customer-${data.id}.json"`);
        return data;
      },
    );

    app.patch(
      '/api/customers/:id',
      {
        config: { access: { ...write, verified: true, shows: ['people'] } },
        schema: {
          operationId: 'changeCustomer',
          tags: ['customers'],
          summary: 'Change a customer’s name or email address',
          description:
            'A changed address is told by email to the old one and the new one. The customer’s activity keeps what it was.',
          params: IdParams,
          body: s.ChangeCustomerBody,
          response: privateAnswers({ 200: s.CustomerDetail }, 404, ...WRITE),
        },
      },
      async (request) => {
        const caller = callerOf(request);
        await changes.change(caller, request.params.id, request.body);
        return customers.get(caller, request.params.id);
      },
    );

    app.post(
      '/api/customers/:id/notes',
      {
        config: { access: write, idempotent: 'resource' },
        schema: {
          operationId: 'addCustomerNote',
          tags: ['customers'],
          summary: 'Add a note about a customer',
          description: 'Only you read it. It is part of what is exported and erased with the customer.',
          params: IdParams,
          body: s.NoteBody,
          response: privateAnswers({ 201: s.CustomerNote }, 404, ...WRITE),
        },
      },
      async (request, reply) => {
        const { params, resourceId, body } = request;
        return reply.code(201).send(await changes.note(callerOf(request), params.id, resourceId, body.text));
      },
    );

    app.delete(
      '/api/customers/:id',
      {
        config: { access: write },
        schema: {
          operationId: 'eraseCustomer',
          tags: ['customers'],
          summary: 'Erase a customer’s personal data',
          description: 'Serials and the ledger are kept. This cannot be undone.',
          params: IdParams,
          querystring: s.EraseQuery,
          response: privateAnswers({ 200: s.ErasedCustomer }, 404),
        },
      },
      async (request) => {
        const { dry_run } = request.query;
        const outcome = await changes.erase(callerOf(request), request.params.id, dry_run);
        return { message: dry_run ? 'Nothing was changed.' : 'Customer erased.', ...outcome };
      },
    );
  };
}
