import type { UsedDay } from '#features/plans';
import { callerOf } from '#platform/access/guard.ts';
import { asFile, jsonOrCsv, orCsv } from '#platform/http/answers/negotiate.ts';
import type { App } from '#platform/http/app-kit.ts';
import { privateAnswers } from '#platform/http/schemas.ts';
import { toDollars } from '#platform/money.ts';
import { BillingGraph, BillingHistory, BillingSummary, BillingUsage, UsagePeriod } from './usage.schemas.ts';
import type { UsageFigures } from './usage.service.ts';
import { daysCsv, monthsCsv } from './usage-csv.ts';

const read = { as: 'user', role: 'developer', scope: 'account:read' } as const;

export function usageRoutes(figures: UsageFigures) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/billing/usage/current',
      {
        config: { access: read },
        schema: {
          operationId: 'getBillingUsage',
          tags: ['billing'],
          summary: 'This month’s usage and what it costs so far',
          description: 'Months are in UTC.',
          response: privateAnswers({ 200: BillingUsage }),
        },
      },
      async (request) => figures.current(callerOf(request)),
    );

    app.get(
      '/api/billing/summary',
      {
        config: { access: read },
        schema: {
          operationId: 'getBillingSummary',
          tags: ['billing'],
          summary: 'What a period used and cost',
          description: 'The sum of its days in UTC, without the fees of plans.',
          querystring: UsagePeriod,
          response: privateAnswers({ 200: BillingSummary }),
        },
      },
      async (request) => figures.summary(callerOf(request), request.query),
    );

    app.get(
      '/api/billing/graph',
      {
        config: { access: read },
        schema: {
          operationId: 'getBillingGraph',
          tags: ['billing'],
          summary: 'Usage and its cost by day',
          description: 'Every day of the period, in UTC. `Accept: text/csv` has the same lines.',
          querystring: UsagePeriod,
          response: privateAnswers({ 200: orCsv(BillingGraph, 'The days of the period') }, 406),
        },
      },
      async (request, reply) => {
        const days = await figures.graph(callerOf(request), request.query);
        if (jsonOrCsv(request) === 'json') return days.map(dayView);
        return asFile(reply, 'csv', 'usage').send(daysCsv(days));
      },
    );

    app.get(
      '/api/billing/history',
      {
        config: { access: read },
        schema: {
          operationId: 'getBillingHistory',
          tags: ['billing'],
          summary: 'What each month used and cost',
          description: 'The newest month first, in UTC. `Accept: text/csv` has the same lines.',
          response: privateAnswers({ 200: orCsv(BillingHistory, 'The months') }, 406),
        },
      },
      async (request, reply) => {
        const months = await figures.history(callerOf(request));
        if (jsonOrCsv(request) === 'json') return months;
        return asFile(reply, 'csv', 'billing-history').send(monthsCsv(months));
      },
    );
  };
}

function dayView(day: UsedDay) {
  return {
    date: day.day,
    redemptions: day.redemptions,
    cost: toDollars(day.cost_cents),
    refresh_count: day.refresh_count,
    refresh_cost: toDollars(day.refresh_cents),
  };
}
