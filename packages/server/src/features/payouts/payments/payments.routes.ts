import { callerOf } from '#platform/access/guard.ts';
import type { App } from '#platform/http/app-kit.ts';
import { IdParams, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import * as s from '../payouts.schemas.ts';
import type { Statements } from '../statements/statements.service.ts';
import type { Agreement } from './agreement.service.ts';
import type { Payments } from './payments.service.ts';

const reseller = { as: 'user', role: 'reseller', scope: 'payouts:write', verified: true } as const;
const developer = { as: 'user', role: 'developer', scope: 'payouts:write', verified: true } as const;

interface Services {
  statements: Statements;
  payments: Payments;
  agreement: Agreement;
}

export function paymentRoutes({ statements, payments, agreement }: Services) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/reseller/developer/balances',
      {
        config: { access: { as: 'user', role: 'developer', scope: 'payouts:read' } },
        schema: {
          operationId: 'listBalances',
          tags: ['payouts'],
          summary: 'What each reseller owes, and since when',
          querystring: s.BalancesQuery,
          response: privateAnswers({ 200: s.Balances }),
        },
      },
      async (request) => statements.balances(callerOf(request).accountId, request.query),
    );

    app.get(
      '/api/reseller/developer/resellers/:id/what-if',
      {
        config: { access: { as: 'user', role: 'developer', scope: 'payouts:read' } },
        schema: {
          operationId: 'whatIfReseller',
          tags: ['payouts'],
          summary: 'What a reseller’s last months would have brought at another rate or price',
          description: 'Counted on real sales, each rounded as a redemption is. Nothing is changed.',
          params: IdParams,
          querystring: s.WhatIfQuery,
          response: privateAnswers({ 200: s.WhatIf }, 404),
        },
      },
      async (request) => statements.whatIf(callerOf(request).accountId, request.params.id, request.query),
    );

    app.post(
      '/api/reseller/payouts/:id/confirm',
      {
        config: { access: reseller },
        schema: {
          operationId: 'confirmPayout',
          tags: ['payouts'],
          summary: 'Confirm a statement',
          description: 'A repeat changes nothing. Confirming a disputed statement withdraws the dispute.',
          params: IdParams,
          response: privateAnswers({ 200: s.PayoutSummary }, 404, ...WRITE),
        },
      },
      async (request) => {
        const caller = callerOf(request);
        await agreement.confirm(caller, request.params.id);
        return statements.summary({ side: 'reseller', accountId: caller.accountId }, request.params.id);
      },
    );

    app.post(
      '/api/reseller/payouts/:id/dispute',
      {
        config: { access: reseller },
        schema: {
          operationId: 'disputePayout',
          tags: ['payouts'],
          summary: 'Dispute a statement that has not been paid',
          description:
            'Its figures stay as they are: the developer answers, and what has to change becomes an adjustment.',
          params: IdParams,
          body: s.DisputeBody,
          response: privateAnswers({ 200: s.PayoutSummary }, 404, ...WRITE),
        },
      },
      async (request) => {
        const caller = callerOf(request);
        await agreement.dispute(caller, request.params.id, request.body.reason);
        return statements.summary({ side: 'reseller', accountId: caller.accountId }, request.params.id);
      },
    );

    app.post(
      '/api/reseller/developer/payouts/:id/answer',
      {
        config: { access: developer },
        schema: {
          operationId: 'answerPayoutDispute',
          tags: ['payouts'],
          summary: 'Answer the dispute of a statement',
          description: 'The statement waits for the reseller’s confirmation again.',
          params: IdParams,
          body: s.AnswerBody,
          response: privateAnswers({ 200: s.PayoutSummary }, 404, ...WRITE),
        },
      },
      async (request) => {
        const caller = callerOf(request);
        await agreement.answer(caller, request.params.id, request.body.text);
        return statements.summary({ side: 'developer', accountId: caller.accountId }, request.params.id);
      },
    );

    app.post(
      '/api/reseller/developer/payouts/:id/mark-paid',
      {
        config: { access: developer, idempotent: 'answer' },
        schema: {
          operationId: 'markPayoutPaid',
          tags: ['payouts'],
          summary: 'Record a payment of a statement, whole or in part',
          description: 'Without an amount, the rest. The statement is paid when nothing is outstanding.',
          params: IdParams,
          body: s.MarkPaidBody,
          response: privateAnswers({ 200: s.PayoutSummary }, 404, ...WRITE),
        },
      },
      async (request) => payments.record(callerOf(request), request.params.id, request.resourceId, request.body),
    );

    app.post(
      '/api/reseller/developer/payouts/:id/payments/:n/reverse',
      {
        config: { access: developer, idempotent: 'answer' },
        schema: {
          operationId: 'reversePayoutPayment',
          tags: ['payouts'],
          summary: 'Take a recorded payment back by a counter-entry',
          params: s.PaymentParams,
          body: s.ReverseBody,
          response: privateAnswers({ 200: s.PayoutSummary }, 404, ...WRITE),
        },
      },
      async (request) => {
        const { params, resourceId, body } = request;
        return payments.reverse(callerOf(request), params.id, resourceId, params.n, body.reason);
      },
    );
  };
}
