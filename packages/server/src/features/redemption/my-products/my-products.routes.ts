import type { App } from '#platform/http/app-kit.ts';
import { answers, Message, WRITE } from '#platform/http/schemas.ts';
import { limits } from '../limits.ts';
import * as s from './my-products.schemas.ts';
import type { MyProducts } from './my-products.service.ts';

const SENT = 'If this address has products here, an email with a link is on its way.';

export function myProductRoutes(mine: MyProducts) {
  return async (app: App): Promise<void> => {
    app.post(
      '/api/redeem/my-products',
      {
        config: { access: { as: 'public' }, rateLimit: limits.my_products, idempotent: 'answer' },
        schema: {
          operationId: 'requestMyProducts',
          tags: ['redemption'],
          summary: 'Request an email with a link to everything an address owns',
          description:
            'The response is the same whether or not the address owns anything. Ten are sent in a day; the link of the last one works until there can be another.',
          body: s.RequestMyProductsBody,
          response: answers({ 202: Message }, ...WRITE),
        },
      },
      async (request, reply) => {
        await mine.request(request.body, request.host);
        return reply.code(202).send({ message: SENT });
      },
    );

    app.post(
      '/api/redeem/my-products/open',
      {
        config: { access: { as: 'public' }, rateLimit: limits.redeem },
        schema: {
          operationId: 'openMyProducts',
          tags: ['redemption'],
          summary: 'Open everything an address owns, using the link from the email',
          body: s.OpenMyProductsBody,
          response: answers({ 200: s.MyProducts }, ...WRITE),
        },
      },
      async (request) => mine.open(request.body.token),
    );
  };
}
