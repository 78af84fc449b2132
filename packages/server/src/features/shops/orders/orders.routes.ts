import { callerOf } from '#platform/access/guard.ts';
import type { App } from '#platform/http/app-kit.ts';
import { IdParams, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import { limits } from '../limits.ts';
import * as s from './orders.schemas.ts';
import type { Orders } from './orders.service.ts';
import type { Sales } from './sales.service.ts';

const read = { as: 'user', role: 'developer', scope: 'shops:read' } as const;
/** It has the customer emailed, and answers the codes that it makes. */
const write = {
  as: 'user',
  role: 'developer',
  scope: 'shops:write',
  verified: true,
  shows: ['codes'],
} as const;
const tags = ['shops'];

export function orderRoutes(orders: Orders, sales: Sales) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/shop-orders',
      {
        config: { access: read },
        schema: {
          operationId: 'listShopOrders',
          tags,
          summary: 'List the orders of all shops, newest first',
          querystring: s.AllOrdersQuery,
          response: privateAnswers({ 200: s.OrderPage }),
        },
      },
      async (request) => orders.list(callerOf(request).accountId, request.query),
    );

    app.get(
      '/api/shops/:id/orders',
      {
        config: { access: read },
        schema: {
          operationId: 'listOrdersOfShop',
          tags,
          summary: 'List the orders of a shop, newest first',
          params: IdParams,
          querystring: s.OrdersQuery,
          response: privateAnswers({ 200: s.OrderPage }, 404),
        },
      },
      async (request) => orders.listOf(callerOf(request).accountId, request.params.id, request.query),
    );

    app.get(
      '/api/shop-orders/:id',
      {
        config: { access: read },
        schema: {
          operationId: 'getShopOrder',
          tags,
          summary: 'Get an order: what came, and what was made of it',
          params: IdParams,
          response: privateAnswers({ 200: s.OrderAnswer }, 404),
        },
      },
      async (request) => ({ order: await orders.get(callerOf(request).accountId, request.params.id) }),
    );

    app.post(
      '/api/sales',
      {
        config: { access: write, idempotent: 'answer', rateLimit: limits.shop_sales },
        schema: {
          operationId: 'recordSale',
          tags,
          summary: 'Record a sale, issue its serials and email them to the customer',
          description:
            'For a form, a fair, or a program between a shop and us. The order’s number names it: recorded again, it is the same order, and no serial is issued twice.',
          body: s.SaleBody,
          response: privateAnswers({ 201: s.RecordedSale }, 404, ...WRITE),
        },
      },
      async (request, reply) => reply.code(201).send(await sales.record(callerOf(request), request.body)),
    );
  };
}
