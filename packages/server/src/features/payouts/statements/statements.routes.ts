import { callerOf } from '#platform/access/guard.ts';
import type { App } from '#platform/http/app-kit.ts';
import { IdParams, privateAnswers } from '#platform/http/schemas.ts';
import * as s from '../payouts.schemas.ts';
import type { Statements } from './statements.service.ts';

export const asReseller = { as: 'user', role: 'reseller', scope: 'payouts:read' } as const;
export const asDeveloper = { as: 'user', role: 'developer', scope: 'payouts:read' } as const;

const ABOUT =
  'A statement of account for a UTC month: the reseller holds the money, and owes the developer what is due. Sales count when the serial is redeemed. Statements are made by the close of the month, and their figures never change.';

export function statementRoutes(statements: Statements) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/reseller/payouts',
      {
        config: { access: asReseller },
        schema: {
          operationId: 'listPayouts',
          tags: ['payouts'],
          summary: 'List a reseller’s payout statements, the newest month first',
          description: ABOUT,
          querystring: s.ResellerPayoutQuery,
          response: privateAnswers({ 200: s.PayoutPage }),
        },
      },
      async (request) => statements.list({ side: 'reseller', accountId: callerOf(request).accountId }, request.query),
    );

    app.get(
      '/api/reseller/payouts/:id',
      {
        config: { access: asReseller },
        schema: {
          operationId: 'getPayout',
          tags: ['payouts'],
          summary: 'Get a payout statement with its transactions',
          description: ABOUT,
          params: IdParams,
          querystring: s.DetailQuery,
          response: privateAnswers({ 200: s.PayoutDetail }, 404),
        },
      },
      async (request) =>
        statements.get({ side: 'reseller', accountId: callerOf(request).accountId }, request.params.id, request.query),
    );

    app.get(
      '/api/reseller/developer/payouts',
      {
        config: { access: asDeveloper },
        schema: {
          operationId: 'listDeveloperPayouts',
          tags: ['payouts'],
          summary: 'List the payout statements of a developer’s resellers, the newest month first',
          description: ABOUT,
          querystring: s.DeveloperPayoutQuery,
          response: privateAnswers({ 200: s.PayoutPage }),
        },
      },
      async (request) => statements.list({ side: 'developer', accountId: callerOf(request).accountId }, request.query),
    );

    app.get(
      '/api/reseller/developer/payouts/:id',
      {
        config: { access: asDeveloper },
        schema: {
          operationId: 'getDeveloperPayout',
          tags: ['payouts'],
          summary: 'Get the payout statement of a reseller with its transactions',
          description: ABOUT,
          params: IdParams,
          querystring: s.DetailQuery,
          response: privateAnswers({ 200: s.PayoutDetail }, 404),
        },
      },
      async (request) =>
        statements.get({ side: 'developer', accountId: callerOf(request).accountId }, request.params.id, request.query),
    );
  };
}
