import type { App } from '#platform/http/app-kit.ts';
import { answers, Message, WRITE } from '#platform/http/schemas.ts';
import { limits } from '../limits.ts';
import * as s from './order-links.schemas.ts';
import type { OrderLinks } from './order-links.service.ts';

const SENT = 'If this order exists, an email with a link to its codes is on its way.';

export function orderLinkRoutes(links: OrderLinks) {
  return async (app: App): Promise<void> => {
    app.post(
      '/api/redeem/orders',
      {
        config: { access: { as: 'public' }, rateLimit: limits.order_links, idempotent: 'answer' },
        schema: {
          operationId: 'requestOrder',
          tags: ['redemption'],
          summary: 'Request an email with a link to the codes of an order',
          description:
            'The response is the same whether or not there is such an order. The email goes to the address of the order; one that has none gets the address that came with the code from its receipt.',
          body: s.RequestOrderBody,
          response: answers({ 202: Message }, ...WRITE),
        },
      },
      async (request, reply) => {
        await links.request(request.body, request.host);
        return reply.code(202).send({ message: SENT });
      },
    );

    app.post(
      '/api/redeem/orders/open',
      {
        config: { access: { as: 'public' }, rateLimit: limits.order_links_opened },
        schema: {
          operationId: 'openOrder',
          tags: ['redemption'],
          summary: 'Open the codes of an order, using the link from the email',
          body: s.OpenOrderBody,
          response: answers({ 200: s.OpenedOrder }, ...WRITE),
        },
      },
      async (request) => links.open(request.body.token),
    );
  };
}
