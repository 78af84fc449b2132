import { callerOf } from '#platform/access/guard.ts';
import { asFile, jsonOrCsv, orCsv } from '#platform/http/answers/negotiate.ts';
import type { App } from '#platform/http/app-kit.ts';
import { privateAnswers } from '#platform/http/schemas.ts';
import { Analytics, AnalyticsQuery, Countries } from './analytics.schemas.ts';
import type { AnalyticsService } from './analytics.service.ts';

const read = { as: 'user', role: 'developer', scope: 'analytics:read' } as const;

export function analyticsRoutes(analytics: AnalyticsService) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/analytics',
      {
        config: { access: read },
        schema: {
          operationId: 'getAnalytics',
          tags: ['analytics'],
          summary: 'Get revenue and redemptions for a period',
          description:
            'Derived from the ledger, in days of the account’s time zone. `Accept: text/csv` has one line per day, product and reseller.',
          querystring: AnalyticsQuery,
          response: privateAnswers({ 200: orCsv(Analytics, 'The period') }, 406),
        },
      },
      async (request, reply) => {
        const form = jsonOrCsv(request);
        if (form === 'json') return analytics.overview(callerOf(request), request.query);
        return asFile(reply, 'csv', 'analytics').send(await analytics.csv(callerOf(request), request.query));
      },
    );

    app.get(
      '/api/analytics/geo',
      {
        config: { access: read },
        schema: {
          operationId: 'getAnalyticsGeo',
          tags: ['analytics'],
          summary: 'Redemptions by country',
          description: 'Over all time, or for a period.',
          querystring: AnalyticsQuery,
          response: privateAnswers({ 200: Countries }),
        },
      },
      async (request) => analytics.countries(callerOf(request), request.query),
    );
  };
}
