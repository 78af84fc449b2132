import { callerOf } from '#platform/access/guard.ts';
import { reportWithheld } from '#platform/access/withhold.ts';
import type { App } from '#platform/http/app-kit.ts';
import { IdParams, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import { read, tags, write } from '../endpoints/endpoints.routes.ts';
import { namesCode } from '../events/event-body.ts';
import * as s from './deliveries.schemas.ts';
import type { Deliveries } from './deliveries.service.ts';

export function deliveryRoutes(deliveries: Deliveries) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/webhooks/:id/deliveries',
      {
        config: { access: read },
        schema: {
          operationId: 'listWebhookDeliveries',
          tags,
          summary: 'List the deliveries of a webhook, newest first',
          params: IdParams,
          querystring: s.DeliveriesQuery,
          response: privateAnswers({ 200: s.DeliveryPage }, 404),
        },
      },
      async (request, reply) => {
        const page = await deliveries.list(callerOf(request), request.params.id, request.query);
        if (page.next_cursor) reply.header('x-next-cursor', page.next_cursor);
        return page;
      },
    );

    app.get(
      '/api/webhook-deliveries/:id',
      {
        config: { access: read },
        schema: {
          operationId: 'getWebhookDelivery',
          tags,
          summary: 'Get a delivery with its body and its attempts',
          params: IdParams,
          response: privateAnswers({ 200: s.DeliveryDetail }, 404),
        },
      },
      async (request, reply) => {
        const caller = callerOf(request);
        const found = await deliveries.get(caller, request.params.id);
        if (namesCode(found.type)) reportWithheld(reply, caller, 'codes');
        return found;
      },
    );

    app.post(
      '/api/webhook-deliveries/:id/retry',
      {
        config: { access: write },
        schema: {
          operationId: 'retryWebhookDelivery',
          tags,
          summary: 'Send a delivery again, now',
          params: IdParams,
          response: privateAnswers({ 200: s.DeliveryDetail }, 404, ...WRITE),
        },
      },
      async (request) => deliveries.retry(callerOf(request), request.params.id),
    );

    app.post(
      '/api/webhooks/:id/replay',
      {
        config: { access: write },
        schema: {
          operationId: 'replayWebhook',
          tags,
          summary: 'Send again what a webhook missed; at most 10,000 deliveries, in the background',
          params: IdParams,
          body: s.ReplayBody,
          response: privateAnswers({ 202: s.Replay }, 404, ...WRITE),
        },
      },
      async (request, reply) =>
        reply.code(202).send(await deliveries.replay(callerOf(request), request.params.id, request.body)),
    );
  };
}
