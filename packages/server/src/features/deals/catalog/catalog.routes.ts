import { callerOf } from '#platform/access/guard.ts';
import { reportWithheld } from '#platform/access/withhold.ts';
import { abortSignal, asFile, jsonOrCsv, orCsv } from '#platform/http/answers/negotiate.ts';
import type { App } from '#platform/http/app-kit.ts';
import { IdParams, privateAnswers } from '#platform/http/schemas.ts';
import * as s from './catalog.schemas.ts';
import type { Catalog } from './catalog.service.ts';

const stock = { as: 'user', role: 'reseller', scope: 'stock:read' } as const;
const either = { ...stock, scope: ['stock:read', 'deals:read'] } as const;

export function catalogRoutes(catalog: Catalog) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/reseller/products',
      {
        config: { access: either },
        schema: {
          operationId: 'listResellerProducts',
          tags: ['deals'],
          summary: 'List the products of the developers that a reseller works with',
          description: 'Submitted products only. Counts are of the serials that the reseller was given.',
          querystring: s.ListProductsQuery,
          response: privateAnswers({ 200: s.ResellerProductPage }),
        },
      },
      async (request) => catalog.products(callerOf(request), request.query),
    );

    app.get(
      '/api/reseller/deals',
      {
        config: { access: either },
        schema: {
          operationId: 'listResellerDeals',
          tags: ['deals'],
          summary: 'List the deals that developers gave to a reseller',
          description:
            'Batches with a promo price; those of one product with the same price, dates and tag are one deal.',
          querystring: s.ListDealsQuery,
          response: privateAnswers({ 200: s.ResellerDealPage }),
        },
      },
      async (request) => catalog.deals(callerOf(request), request.query),
    );

    app.get(
      '/api/reseller/products/:id',
      {
        config: { access: stock },
        schema: {
          operationId: 'getResellerProduct',
          tags: ['deals'],
          summary: 'Get a product with the serials of it that a reseller was given',
          description: '`deal`, or the other parameters, narrow the serials down to those of one deal.',
          params: IdParams,
          querystring: s.ResellerProductQuery,
          response: privateAnswers({ 200: s.ResellerProductDetail }, 404),
        },
      },
      async (request) => catalog.product(callerOf(request), request.params.id, request.query),
    );

    app.get(
      '/api/reseller/products/:id/available',
      {
        config: { access: stock },
        schema: {
          operationId: 'listResellerAvailableSerials',
          tags: ['deals'],
          summary: 'List a product’s serials that a reseller can sell, newest first',
          params: IdParams,
          querystring: s.ResellerSerialsQuery,
          response: privateAnswers({ 200: s.ResellerSerialPage }, 404),
        },
      },
      async (request) => catalog.available(callerOf(request), request.params.id, request.query),
    );

    app.get(
      '/api/reseller/products/:id/redeemed',
      {
        config: { access: stock, stream: 'rows' },
        schema: {
          operationId: 'listResellerRedeemedSerials',
          tags: ['deals'],
          summary: 'List a product’s serials of a reseller that were redeemed, newest first',
          description: '`Accept: text/csv` streams all that match the filter.',
          params: IdParams,
          querystring: s.ResellerSerialsQuery,
          response: privateAnswers({ 200: orCsv(s.ResellerRedeemedPage, 'A page of redeemed serials') }, 404, 406),
        },
      },
      async (request, reply) => {
        const form = jsonOrCsv(request);
        const caller = callerOf(request);
        const { id } = request.params;
        if (form === 'json') return catalog.redeemed(caller, id, request.query);
        const rows = await catalog.redeemedCsv(caller, id, request.query, abortSignal(reply));
        reportWithheld(reply, caller, 'people');
        return asFile(reply, form, 'redeemed_serials').send(rows);
      },
    );
  };
}
