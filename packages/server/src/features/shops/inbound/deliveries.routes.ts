import { callerOf } from '#platform/access/guard.ts';
import type { App } from '#platform/http/app-kit.ts';
import { IdParams, privateAnswers } from '#platform/http/schemas.ts';
import * as s from './deliveries.schemas.ts';
import type { Deliveries } from './deliveries.service.ts';

export function deliveryRoutes(deliveries: Deliveries) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/shops/:id/deliveries',
      {
        config: { access: { as: 'user', scope: 'shops:read' } },
        schema: {
          operationId: 'listShopDeliveries',
          tags: ['shops'],
          summary: 'List what came from a shop and what was made of it, newest first',
          params: IdParams,
          querystring: s.DeliveriesQuery,
          response: privateAnswers({ 200: s.DeliveryPage }, 404),
        },
      },
      async (request) => deliveries.list(callerOf(request).accountId, request.params.id, request.query),
    );
  };
}
