import { z } from 'zod';
import { callerOf } from '#platform/access/guard.ts';
import { abortSignal, asFile } from '#platform/http/answers/negotiate.ts';
import { pageHeaders } from '#platform/http/answers/page-headers.ts';
import type { App } from '#platform/http/app-kit.ts';
import { privateAnswers } from '#platform/http/schemas.ts';
import * as s from './list.schemas.ts';
import type { ProductLists } from './list.service.ts';

const read = { as: 'user', role: 'developer', scope: 'products:read' } as const;

export function productListRoutes(lists: ProductLists) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/products',
      {
        config: { access: read },
        schema: {
          operationId: 'listProducts',
          tags: ['products'],
          summary: 'List products, newest first',
          description: '`X-Total-Count` has the total, `X-Next-Cursor` the cursor of the next page.',
          querystring: s.ListProductsQuery,
          response: privateAnswers({ 200: z.array(s.ListedProduct) }),
        },
      },
      async (request, reply) => {
        return pageHeaders(reply, await lists.page(callerOf(request), request.query));
      },
    );

    app.get(
      '/api/products/choices',
      {
        config: { access: read },
        schema: {
          operationId: 'listProductChoices',
          tags: ['products'],
          summary: 'What products can be filtered by, with counts',
          description: 'Counted among the newest 100,000 that fit the other filters.',
          querystring: s.ProductChoicesQuery,
          response: privateAnswers({ 200: s.ProductChoiceCounts }),
        },
      },
      async (request) => lists.choices(callerOf(request), request.query),
    );

    app.get(
      '/api/products/export',
      {
        config: { access: read, stream: 'bulk' },
        schema: {
          operationId: 'exportProducts',
          tags: ['products'],
          summary: 'Export matching products as CSV',
          description: 'With what each has sold, in the order of the list.',
          querystring: s.ExportProductsQuery,
          response: privateAnswers({
            200: { description: 'A CSV', content: { 'text/csv': { schema: z.string() } } },
          }),
        },
      },
      async (request, reply) =>
        asFile(reply, 'csv', 'products').send(await lists.csv(callerOf(request), request.query, abortSignal(reply))),
    );
  };
}
