import { callerOf } from '#platform/access/guard.ts';
import { abortSignal, asFile, jsonOrCsv, orCsv } from '#platform/http/answers/negotiate.ts';
import type { App } from '#platform/http/app-kit.ts';
import { IdParams, Ok, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import type { DealAnswers } from './deal-answers.service.ts';
import * as s from './deal-requests.schemas.ts';
import type { RequestedDeals } from './requested-deals.service.ts';

const read = { as: 'user', scope: 'deals:read' } as const;
const write = { as: 'user', scope: 'deals:write' } as const;
const reseller = { role: 'reseller' } as const;
const developer = { role: 'developer' } as const;

export function dealRequestRoutes(asked: RequestedDeals, answers: DealAnswers) {
  return async (app: App): Promise<void> => {
    app.post(
      '/api/reseller/deal-requests',
      {
        config: { access: { ...write, ...reseller, verified: true }, idempotent: 'answer' },
        schema: {
          operationId: 'requestDeal',
          tags: ['deals'],
          summary: 'Ask a developer for serials at a special price',
          body: s.RequestDealBody,
          response: privateAnswers({ 201: s.DealRequestView }, 404, ...WRITE),
        },
      },
      async (request, reply) =>
        reply.code(201).send(await asked.request(callerOf(request), request.resourceId, request.body)),
    );

    app.get(
      '/api/reseller/deal-requests',
      {
        config: { access: { ...read, ...reseller }, stream: 'rows' },
        schema: {
          operationId: 'listOwnDealRequests',
          tags: ['deals'],
          summary: 'List a reseller’s requests for deals, newest first',
          description: '`Accept: text/csv` streams all that match the filter.',
          querystring: s.OwnDealRequestsQuery,
          response: privateAnswers({ 200: orCsv(s.DealRequestPage, 'A page of requests') }, 406),
        },
      },
      async (request, reply) => {
        const caller = callerOf(request);
        if (jsonOrCsv(request) === 'json') return asked.list(caller, request.query);
        return asFile(reply, 'csv', 'deal_requests').send(
          await asked.export(caller, request.query.status, abortSignal(reply)),
        );
      },
    );

    app.post(
      '/api/reseller/deal-requests/seen',
      {
        config: { access: { ...write, ...reseller } },
        schema: {
          operationId: 'seeDealAnswers',
          tags: ['deals'],
          summary: 'Take note of all answers to requests for deals',
          response: privateAnswers({ 200: Ok }),
        },
      },
      async (request) => {
        await asked.see(callerOf(request));
        return { ok: true as const };
      },
    );

    app.post(
      '/api/reseller/deal-requests/:id/withdraw',
      {
        config: { access: { ...write, ...reseller } },
        schema: {
          operationId: 'withdrawDealRequest',
          tags: ['deals'],
          summary: 'Withdraw a pending request for a deal',
          params: IdParams,
          response: privateAnswers({ 200: s.DealRequestView }, 404, ...WRITE),
        },
      },
      async (request) => asked.withdraw(callerOf(request), request.params.id),
    );

    app.get(
      '/api/reseller/developer/deal-requests',
      {
        config: { access: { ...read, ...developer }, stream: 'rows' },
        schema: {
          operationId: 'listDealRequests',
          tags: ['deals'],
          summary: 'List the deals that resellers ask a developer for, newest first',
          description: '`Accept: text/csv` streams all requests that match the filter.',
          querystring: s.DealRequestsQuery,
          response: privateAnswers({ 200: orCsv(s.DealRequestPage, 'A page of requests') }, 406),
        },
      },
      async (request, reply) => {
        const caller = callerOf(request);
        if (jsonOrCsv(request) === 'json') return answers.list(caller, request.query);
        return asFile(reply, 'csv', 'deal_requests').send(
          await answers.export(caller, request.query, abortSignal(reply)),
        );
      },
    );

    app.get(
      '/api/reseller/developer/deal-requests/:id',
      {
        config: { access: { ...read, ...developer } },
        schema: {
          operationId: 'getDealRequest',
          tags: ['deals'],
          summary: 'Get a reseller’s request for a deal',
          description: 'To accept it, generate a batch with its id as `deal_request_id`.',
          params: IdParams,
          response: privateAnswers({ 200: s.DealRequestView }, 404),
        },
      },
      async (request) => answers.get(callerOf(request), request.params.id),
    );

    app.post(
      '/api/reseller/developer/deal-requests/:id/decline',
      {
        config: { access: { ...write, ...developer, verified: true } },
        schema: {
          operationId: 'declineDealRequest',
          tags: ['deals'],
          summary: 'Decline a reseller’s request for a deal',
          params: IdParams,
          body: s.DeclineBody,
          response: privateAnswers({ 200: s.DealRequestView }, 404, ...WRITE),
        },
      },
      async (request) => answers.decline(callerOf(request), request.params.id, request.body.reason),
    );
  };
}
