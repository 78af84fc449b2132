import { z } from 'zod';
import { callerOf } from '#platform/access/guard.ts';
import { pageHeaders } from '#platform/http/answers/page-headers.ts';
import type { App } from '#platform/http/app-kit.ts';
import { Cursor, Id, IdParams, Limit, privateAnswers } from '#platform/http/schemas.ts';
import type { ResellerStock } from './reseller-stock.service.ts';

const PartnerStock = z
  .object({
    product_id: Id,
    product_name: z.string(),
    image_url: z.string().nullable(),
    given: z.int().describe('Serials that were made for this reseller.'),
    available: z.int().describe('Serials that the reseller can sell now.'),
    not_for_sale: z
      .int()
      .describe('The others that nobody has: their deal has not begun or is over, or the product is a draft.'),
    handed_out: z.int().describe('Serials that the reseller has handed out, and nobody has redeemed yet.'),
    redeemed: z.int().describe('Serials that customers have redeemed.'),
    low: z
      .boolean()
      .describe('Whether fewer are left, those not for sale now included, than the threshold of the partnership.'),
  })
  .meta({ id: 'PartnerStock' });

const PageQuery = z.object({ limit: Limit, cursor: Cursor });

const PAGES = '`X-Total-Count` has the number of products, `X-Next-Cursor` the cursor of the next page.';

/** Routes for a reseller's serials of each product, by state, for either side. */
export function resellerStockRoutes(stock: ResellerStock) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/reseller/developer/resellers/:id/stock',
      {
        config: { access: { as: 'user', role: 'developer', scope: 'resellers:read' } },
        schema: {
          operationId: 'getResellerStock',
          tags: ['resellers'],
          summary: 'Get a reseller’s stock by product',
          description: PAGES,
          params: IdParams,
          querystring: PageQuery,
          response: privateAnswers({ 200: z.array(PartnerStock) }, 404),
        },
      },
      async (request, reply) =>
        pageHeaders(reply, await stock.ofReseller(callerOf(request), request.params.id, request.query)),
    );

    app.get(
      '/api/reseller/developers/:id/stock',
      {
        config: { access: { as: 'user', role: 'reseller', scope: 'stock:read' } },
        schema: {
          operationId: 'getPartnerStock',
          tags: ['partners'],
          summary: 'Get your stock of a developer’s products',
          description: `Without drafts; empty while the partnership is paused. ${PAGES}`,
          params: IdParams,
          querystring: PageQuery,
          response: privateAnswers({ 200: z.array(PartnerStock) }, 404),
        },
      },
      async (request, reply) =>
        pageHeaders(reply, await stock.ofDeveloper(callerOf(request), request.params.id, request.query)),
    );
  };
}
