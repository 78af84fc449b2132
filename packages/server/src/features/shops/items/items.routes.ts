import { callerOf } from '#platform/access/guard.ts';
import type { App } from '#platform/http/app-kit.ts';
import { IdParams, Ok, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import * as s from './items.schemas.ts';
import type { Items } from './items.service.ts';

const read = { as: 'user', scope: 'shops:read' } as const;
/** Verified accounts only: a mapping delivers waiting orders, by email. */
const write = { as: 'user', scope: 'shops:write', verified: true } as const;
const forget = { as: 'user', scope: 'shops:write' } as const;
const tags = ['shops'];

export function itemRoutes(items: Items) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/shops/:id/items',
      {
        config: { access: read },
        schema: {
          operationId: 'listShopItems',
          tags,
          summary: 'List what a shop sells, and what of your products that is',
          params: IdParams,
          querystring: s.ItemsQuery,
          response: privateAnswers({ 200: s.ItemPage }, 404),
        },
      },
      async (request) => items.list(callerOf(request).accountId, request.params.id, request.query),
    );

    app.put(
      '/api/shops/:id/items',
      {
        config: { access: write },
        schema: {
          operationId: 'mapShopItems',
          tags,
          summary: 'Map what a shop sells to products',
          description: 'Sets these keys and leaves the others. Orders that wait for one of them are delivered at once.',
          params: IdParams,
          body: s.ItemsBody,
          response: privateAnswers({ 200: s.MappedItems }, 404, ...WRITE),
        },
      },
      async (request) => ({ items: await items.map(callerOf(request), request.params.id, request.body.items) }),
    );

    app.delete(
      '/api/shops/:id/items/:key',
      {
        config: { access: forget },
        schema: {
          operationId: 'deleteShopItem',
          tags,
          summary: 'Forget what something that a shop sells is',
          params: s.ItemParams,
          response: privateAnswers({ 200: Ok }, 404),
        },
      },
      async (request) => {
        await items.delete(callerOf(request), request.params.id, request.params.key);
        return { ok: true as const };
      },
    );
  };
}
