import { callerOf } from '#platform/access/guard.ts';
import { reportWithheld } from '#platform/access/withhold.ts';
import type { App } from '#platform/http/app-kit.ts';
import { IdParams, Ok, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import { read, tags, write } from '../endpoints/endpoints.routes.ts';
import { TestBody } from '../endpoints/endpoints.schemas.ts';
import type { EventsByHand } from '../events/by-hand.service.ts';
import { namesCode } from '../events/event-body.ts';
import * as s from '../events/events.schemas.ts';
import type { Feed } from './feed.service.ts';

export function feedRoutes(feed: Feed, byHand: EventsByHand) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/webhook-event-types',
      {
        config: { access: read },
        schema: {
          operationId: 'listWebhookEventTypes',
          tags,
          summary: 'List the types of events, with a sample of each',
          response: privateAnswers({ 200: s.EventTypes }),
        },
      },
      async (request) => ({ types: byHand.types(callerOf(request)) }),
    );

    app.get(
      '/api/webhook-events',
      {
        config: { access: read },
        schema: {
          operationId: 'listWebhookEvents',
          tags,
          summary: 'Read the events of the last 30 days, oldest first',
          description: 'Only what a webhook, or a listener, asked for when it happened.',
          querystring: s.EventsQuery,
          response: privateAnswers({ 200: s.EventPage }),
        },
      },
      async (request, reply) => {
        const caller = callerOf(request);
        const found = await feed.read(caller, request.query);
        if (found.events.some(({ type }) => namesCode(type))) reportWithheld(reply, caller, 'codes');
        return found;
      },
    );

    app.post(
      '/api/webhook-events',
      {
        config: { access: write, idempotent: 'answer' },
        schema: {
          operationId: 'triggerWebhookEvent',
          tags,
          summary: 'Send a sample event, marked as a test, to all webhooks that ask for it',
          body: s.TriggerBody,
          response: privateAnswers({ 201: s.Triggered }, ...WRITE),
        },
      },
      async (request, reply) =>
        reply.code(201).send(await byHand.trigger(callerOf(request), request.resourceId, request.body)),
    );

    app.post(
      '/api/webhooks/:id/test',
      {
        config: { access: write, idempotent: 'answer' },
        schema: {
          operationId: 'testWebhook',
          tags,
          summary: 'Send a test to one webhook',
          params: IdParams,
          body: TestBody,
          response: privateAnswers({ 201: s.Triggered }, 404, ...WRITE),
        },
      },
      async (request, reply) =>
        reply
          .code(201)
          .send(await byHand.test(callerOf(request), request.resourceId, request.params.id, request.body.type)),
    );

    app.post(
      '/api/webhook-listeners',
      {
        config: { access: write, idempotent: 'answer' },
        schema: {
          operationId: 'createWebhookListener',
          tags,
          summary: 'Record events for an hour, for a terminal that reads them as a list',
          body: s.ListenerBody,
          response: privateAnswers({ 201: s.Listener }, ...WRITE),
        },
      },
      async (request, reply) =>
        reply.code(201).send(await feed.listen(callerOf(request), request.resourceId, request.body.events)),
    );

    app.post(
      '/api/webhook-listeners/:id/renew',
      {
        config: { access: write },
        schema: {
          operationId: 'renewWebhookListener',
          tags,
          summary: 'Go on listening for another hour',
          params: IdParams,
          response: privateAnswers({ 200: s.Listener }, 404),
        },
      },
      async (request) => feed.renew(callerOf(request).accountId, request.params.id),
    );

    app.delete(
      '/api/webhook-listeners/:id',
      {
        config: { access: write },
        schema: {
          operationId: 'deleteWebhookListener',
          tags,
          summary: 'Stop listening',
          params: IdParams,
          response: privateAnswers({ 200: Ok }, 404),
        },
      },
      async (request) => {
        await feed.stopListening(callerOf(request).accountId, request.params.id);
        return { ok: true as const };
      },
    );
  };
}
