import { callerOf } from '#platform/access/guard.ts';
import { asFile, jsonOrCsv, orCsv } from '#platform/http/answers/negotiate.ts';
import { pageHeaders } from '#platform/http/answers/page-headers.ts';
import type { App } from '#platform/http/app-kit.ts';
import { privateAnswers } from '#platform/http/schemas.ts';
import type { SalesFigures } from './figures.service.ts';
import * as s from './sales.schemas.ts';

export const read = { as: 'user', role: 'reseller', scope: 'sales:read' } as const;

export function salesRoutes(figures: SalesFigures) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/reseller/dashboard',
      {
        config: { access: read },
        schema: {
          operationId: 'getResellerDashboard',
          tags: ['sales'],
          summary: 'Get a reseller’s totals and what they were given of each product',
          response: privateAnswers({ 200: s.SalesDashboard }),
        },
      },
      async (request) => figures.dashboard(callerOf(request)),
    );

    app.get(
      '/api/reseller/summary',
      {
        config: { access: read },
        schema: {
          operationId: 'getSalesSummary',
          tags: ['sales'],
          summary: 'Get a reseller’s commission and redemptions of a period, and what sold best',
          querystring: s.PeriodQuery,
          response: privateAnswers({ 200: s.SalesSummary }),
        },
      },
      async (request) => figures.summary(callerOf(request), request.query),
    );

    app.get(
      '/api/reseller/graph',
      {
        config: { access: read },
        schema: {
          operationId: 'getSalesGraph',
          tags: ['sales'],
          summary: 'Get a reseller’s redemptions and commission by day',
          description: 'Every day of the period, in the reseller’s time zone; at most 366.',
          querystring: s.PeriodQuery,
          response: privateAnswers({ 200: s.SalesDays }),
        },
      },
      async (request) => figures.graph(callerOf(request), request.query),
    );

    app.get(
      '/api/reseller/graph-by-developer',
      {
        config: { access: read },
        schema: {
          operationId: 'getSalesByDeveloper',
          tags: ['sales'],
          summary: 'Get a reseller’s redemptions and commission by developer',
          description: 'Most redemptions first; the first 10,000 developers.',
          querystring: s.PeriodQuery,
          response: privateAnswers({ 200: s.SalesByDeveloper }),
        },
      },
      async (request) => figures.byDeveloper(callerOf(request), request.query),
    );

    app.get(
      '/api/reseller/history',
      {
        config: { access: read },
        schema: {
          operationId: 'listCommissionHistory',
          tags: ['sales'],
          summary: 'List a reseller’s commission by month, developer and product, newest first',
          description: 'Calendar months in UTC, like statements. `Accept: text/csv` has all of them.',
          querystring: s.HistoryQuery,
          response: privateAnswers({ 200: orCsv(s.SalesHistory, 'A page of months') }, 406),
        },
      },
      async (request, reply) => {
        const form = jsonOrCsv(request);
        const caller = callerOf(request);
        if (form === 'csv') return asFile(reply, form, 'commission_history').send(await figures.historyCsv(caller));
        return pageHeaders(reply, await figures.history(caller, request.query));
      },
    );
  };
}
