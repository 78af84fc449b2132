import { callerOf } from '#platform/access/guard.ts';
import type { App } from '#platform/http/app-kit.ts';
import { privateAnswers, WRITE } from '#platform/http/schemas.ts';
import { DrawParams } from '../draws.schemas.ts';
import { limits } from '../limits.ts';
import * as s from './selling.schemas.ts';
import type { Selling } from './selling.service.ts';

const read = { as: 'user', role: 'reseller', scope: 'stock:read' } as const;
/** It can have a customer emailed. */
const write = {
  as: 'user',
  role: 'reseller',
  scope: 'stock:write',
  verified: true,
  shows: ['codes', 'people'],
} as const;

export function sellingRoutes(selling: Selling) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/reseller/offers',
      {
        config: { access: read },
        schema: {
          operationId: 'listOffers',
          tags: ['draws'],
          summary: 'List what a reseller can sell now, by product and price',
          description:
            'In the order of the products’ names. What has no code left, or whose deal is not on, is left out.',
          querystring: s.ListOffersQuery,
          response: privateAnswers({ 200: s.OfferPage }),
        },
      },
      async (request) => selling.offers(callerOf(request), request.query),
    );

    app.post(
      '/api/reseller/serials/sell',
      {
        config: { access: write, rateLimit: limits.draws },
        schema: {
          operationId: 'sellSerial',
          tags: ['draws'],
          summary: 'Sell one code by hand',
          description:
            'Takes one code out of stock as a draw does, keeps what it cost, and with `email` sends it to the customer: all of it or nothing. A call whose answer was lost is simply repeated: the same reference is the same sale, and sends nothing again. To undo a sale, return its draw by the same reference.',
          body: s.SellBody,
          response: privateAnswers({ 201: s.Sale }, 404, ...WRITE),
        },
      },
      async (request, reply) => reply.code(201).send(await selling.sell(callerOf(request), request.body)),
    );

    app.get(
      '/api/reseller/serials/sold',
      {
        config: { access: read },
        schema: {
          operationId: 'listHandSales',
          tags: ['draws'],
          summary: 'List what was sold by hand, newest first, with totals',
          querystring: s.ListSalesQuery,
          response: privateAnswers({ 200: s.SalePage }),
        },
      },
      async (request) => selling.list(callerOf(request), request.query),
    );

    app.get(
      '/api/reseller/serials/sold/:reference',
      {
        config: { access: read },
        schema: {
          operationId: 'getHandSale',
          tags: ['draws'],
          summary: 'Get a sale by hand with the link and the QR code that redeem it',
          params: DrawParams,
          response: privateAnswers({ 200: s.Sale }, 404),
        },
      },
      async (request) => selling.get(callerOf(request), request.params.reference),
    );

    app.post(
      '/api/reseller/serials/sold/:reference/email',
      {
        config: { access: write },
        schema: {
          operationId: 'emailHandSale',
          tags: ['draws'],
          summary: 'Send the code of a sale by hand to the customer',
          description: 'For the first time or again, also to another address. At most five times an hour for one sale.',
          params: DrawParams,
          body: s.EmailSaleBody,
          response: privateAnswers({ 200: s.Sale }, 404, ...WRITE),
        },
      },
      async (request) => selling.email(callerOf(request), request.params.reference, request.body),
    );
  };
}
