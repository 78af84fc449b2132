import { callerOf } from '#platform/access/guard.ts';
import { asFile, jsonOrCsv, orCsv } from '#platform/http/answers/negotiate.ts';
import type { App } from '#platform/http/app-kit.ts';
import { privateAnswers } from '#platform/http/schemas.ts';
import * as s from './reports.schemas.ts';
import type { Reports } from './reports.service.ts';

const read = { as: 'user', role: 'developer', scope: 'analytics:read' } as const;

export function reportRoutes(reports: Reports) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/analytics/stock',
      {
        config: { access: read },
        schema: {
          operationId: 'getStockReport',
          tags: ['analytics'],
          summary: 'Report how long the serials of each product last',
          description:
            'At the pace of the last 30 days; the first to run out first, at most 1,000 published products. `Accept: text/csv` has the same.',
          querystring: s.StockQuery,
          response: privateAnswers({ 200: orCsv(s.Stock, 'The products') }, 406),
        },
      },
      async (request, reply) => {
        const caller = callerOf(request);
        const { product_id: product } = request.query;
        if (jsonOrCsv(request) === 'json') return reports.stock(caller, product);
        return asFile(reply, 'csv', 'stock').send(await reports.stockCsv(caller, product));
      },
    );

    app.get(
      '/api/analytics/batches',
      {
        config: { access: read },
        schema: {
          operationId: 'getBatchReport',
          tags: ['analytics'],
          summary: 'Report how many serials of each batch were handed out, redeemed and activated',
          description: 'The newest batch first. `Accept: text/csv` has the newest 200.',
          querystring: s.FunnelQuery,
          response: privateAnswers({ 200: orCsv(s.BatchConversions, 'A page of batches') }, 406),
        },
      },
      async (request, reply) => {
        const caller = callerOf(request);
        if (jsonOrCsv(request) === 'json') return reports.batches(caller, request.query);
        return asFile(reply, 'csv', 'batches').send(await reports.batchesCsv(caller, request.query));
      },
    );

    app.get(
      '/api/analytics/shops',
      {
        config: { access: read },
        schema: {
          operationId: 'getShopReport',
          tags: ['analytics'],
          summary: 'Report what was sold in each shop, and what of it was redeemed and given back',
          description:
            'Refunds and disputes count on their own day. Orders that a shop sold and nobody has redeemed are in `paid` and not in `revenue`. `Accept: text/csv` has the same.',
          querystring: s.ShopReportQuery,
          response: privateAnswers({ 200: orCsv(s.ShopReport, 'The shops') }, 406),
        },
      },
      async (request, reply) => {
        const caller = callerOf(request);
        if (jsonOrCsv(request) === 'json') return reports.shops(caller, request.query);
        return asFile(reply, 'csv', 'shops').send(await reports.shopsCsv(caller, request.query));
      },
    );

    app.get(
      '/api/analytics/sparklines',
      {
        config: { access: read },
        schema: {
          operationId: 'getSparklines',
          tags: ['analytics'],
          summary: 'Get the redemptions of each product by day, of the last 30 days',
          querystring: s.SparklinesQuery,
          response: privateAnswers({ 200: s.Sparklines }),
        },
      },
      async (request) => reports.sparklines(callerOf(request), request.query.products),
    );
  };
}
