import { callerOf } from '#platform/access/guard.ts';
import { abortSignal, asFile, jsonOrCsv, orCsv } from '#platform/http/answers/negotiate.ts';
import type { App } from '#platform/http/app-kit.ts';
import { IdParams, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import { limits } from '../limits.ts';
import type { OrderActions } from './order-actions.service.ts';
import * as s from './orders.schemas.ts';
import type { Orders } from './orders.service.ts';
import type { Sales } from './sales.service.ts';

const read = { as: 'user', scope: 'shops:read' } as const;
/** It has the customer emailed, and answers the codes that it makes. */
const write = {
  as: 'user',
  scope: 'shops:write',
  verified: true,
  shows: ['codes'],
} as const;
/** Nobody is emailed by it. */
const writeUnsent = { as: 'user', scope: 'shops:write', shows: ['codes'] } as const;
const tags = ['shops'];

export function orderRoutes(orders: Orders, actions: OrderActions, sales: Sales) {
  const shown = async (request: Parameters<typeof callerOf>[0], id: string) => ({
    order: await orders.get(callerOf(request).accountId, id),
  });
  return async (app: App): Promise<void> => {
    app.get(
      '/api/shop-orders',
      {
        config: { access: read, stream: 'rows' },
        schema: {
          operationId: 'listShopOrders',
          tags,
          summary: 'List the orders of all shops, newest first',
          description:
            '`Accept: text/csv` streams the order book: a line for each line of all orders that match, with what was paid, the rate, the dollars, the serials and what was given back.',
          querystring: s.AllOrdersQuery,
          response: privateAnswers({ 200: orCsv(s.OrderPage, 'A page of orders') }, 406),
        },
      },
      async (request, reply) => {
        const caller = callerOf(request);
        if (jsonOrCsv(request) === 'json') return orders.list(caller, request.query);
        return asFile(reply, 'csv', 'orders').send(await orders.book(caller, request.query, abortSignal(reply)));
      },
    );

    app.get(
      '/api/shop-orders/choices',
      {
        config: { access: read },
        schema: {
          operationId: 'listShopOrderChoices',
          tags,
          summary: 'What orders can be filtered by, with counts',
          querystring: s.OrderChoicesQuery,
          response: privateAnswers({ 200: s.OrderChoiceCounts }),
        },
      },
      async (request) => orders.choices(callerOf(request), request.query),
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
      async (request) => orders.listOf(callerOf(request), request.params.id, request.query),
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

    app.patch(
      '/api/shop-orders/:id',
      {
        config: { access: write },
        schema: {
          operationId: 'updateShopOrder',
          tags,
          summary: 'Change the note of an order, or where its codes are sent',
          description: 'Codes that were not sent to anybody yet are sent to the new address at once.',
          params: IdParams,
          body: s.OrderChangeBody,
          response: privateAnswers({ 200: s.OrderAnswer }, 404, ...WRITE),
        },
      },
      async (request) => {
        await actions.change(callerOf(request), request.params.id, request.body);
        return shown(request, request.params.id);
      },
    );

    app.post(
      '/api/shop-orders/:id/decide',
      {
        config: { access: writeUnsent },
        schema: {
          operationId: 'decideShopOrder',
          tags,
          summary: 'Keep or take back what was refunded of an order, and settle what it asks',
          params: IdParams,
          body: s.OrderDecisionBody,
          response: privateAnswers({ 200: s.OrderAnswer }, 404, ...WRITE),
        },
      },
      async (request) => {
        await actions.decide(callerOf(request), request.params.id, request.body);
        return shown(request, request.params.id);
      },
    );

    app.post(
      '/api/shop-orders/:id/resend',
      {
        config: { access: write, idempotent: 'answer' },
        schema: {
          operationId: 'resendShopOrder',
          tags,
          summary: 'Email the codes of an order again',
          params: IdParams,
          response: privateAnswers({ 200: s.OrderAnswer }, 404, ...WRITE),
        },
      },
      async (request) => {
        await actions.resend(callerOf(request), request.params.id);
        return shown(request, request.params.id);
      },
    );

    app.post(
      '/api/shop-orders/:id/deliveries/:delivery_id/replay',
      {
        config: { access: writeUnsent },
        schema: {
          operationId: 'replayShopDelivery',
          tags,
          summary: 'Work on what a shop sent about an order again',
          params: s.DeliveryParams,
          response: privateAnswers({ 200: s.OrderAnswer }, 404, ...WRITE),
        },
      },
      async (request) => {
        await actions.replay(callerOf(request), request.params.id, request.params.delivery_id);
        return shown(request, request.params.id);
      },
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
