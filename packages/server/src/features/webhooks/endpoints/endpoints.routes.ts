import { callerOf } from '#platform/access/guard.ts';
import { notFound } from '#platform/errors.ts';
import type { App } from '#platform/http/app-kit.ts';
import { answers, IdParams, Ok, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import type { WebhookKeys } from '../signing/webhook-keys.ts';
import * as s from './endpoints.schemas.ts';
import type { Endpoints } from './endpoints.service.ts';

export const read = { as: 'user', scope: 'webhooks:read' } as const;
export const write = { as: 'user', scope: 'webhooks:write' } as const;
/** An address of somebody else's may be made to bear requests. */
const writeVerified = { ...write, verified: true } as const;
export const tags = ['webhooks'];

export function endpointRoutes(endpoints: Endpoints, keys: WebhookKeys) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/webhooks',
      {
        config: { access: read },
        schema: {
          operationId: 'listWebhooks',
          tags,
          summary: 'List webhooks, newest first',
          response: privateAnswers({ 200: s.Endpoints }),
        },
      },
      async (request) => ({ webhooks: await endpoints.list(callerOf(request).accountId) }),
    );

    app.post(
      '/api/webhooks',
      {
        config: { access: writeVerified, idempotent: 'answer' },
        schema: {
          operationId: 'createWebhook',
          tags,
          summary: 'Create a webhook; its secret is shown once',
          body: s.EndpointBody,
          response: privateAnswers({ 201: s.NewEndpoint }, ...WRITE),
        },
      },
      async (request, reply) =>
        reply.code(201).send(await endpoints.create(callerOf(request), request.resourceId, request.body)),
    );

    app.get(
      '/api/webhooks/:id',
      {
        config: { access: read },
        schema: {
          operationId: 'getWebhook',
          tags,
          summary: 'Get a webhook',
          params: IdParams,
          response: privateAnswers({ 200: s.EndpointView }, 404),
        },
      },
      async (request) => endpoints.get(callerOf(request).accountId, request.params.id),
    );

    app.patch(
      '/api/webhooks/:id',
      {
        config: { access: writeVerified },
        schema: {
          operationId: 'updateWebhook',
          tags,
          summary: 'Change, pause or resume a webhook',
          params: IdParams,
          body: s.EndpointChange,
          response: privateAnswers({ 200: s.EndpointView }, 404, ...WRITE),
        },
      },
      async (request) => endpoints.update(callerOf(request), request.params.id, request.body),
    );

    app.delete(
      '/api/webhooks/:id',
      {
        config: { access: write },
        schema: {
          operationId: 'deleteWebhook',
          tags,
          summary: 'Delete a webhook with its deliveries',
          params: IdParams,
          response: privateAnswers({ 200: Ok }, 404),
        },
      },
      async (request) => {
        await endpoints.delete(callerOf(request), request.params.id);
        return { ok: true as const };
      },
    );

    app.post(
      '/api/webhooks/:id/rotate-secret',
      {
        config: { access: write, idempotent: 'answer' },
        schema: {
          operationId: 'rotateWebhookSecret',
          tags,
          summary:
            'Rotate the secret of a webhook or, with `v1a`, the account’s key; the old one signs beside the new one for a while',
          params: IdParams,
          body: s.RotateBody,
          response: privateAnswers({ 200: s.NewEndpoint }, 404, ...WRITE),
        },
      },
      async (request) => endpoints.rotate(callerOf(request), request.params.id, request.body.overlap_hours),
    );

    app.get(
      '/api/webhook-keys/:id',
      {
        config: { access: { as: 'public' } },
        schema: {
          operationId: 'getWebhookKeys',
          tags,
          summary: 'Get the public keys that verify an account’s `v1a` signatures (JWKS)',
          params: IdParams,
          response: answers({ 200: s.Jwks }, 404),
        },
      },
      async (request, reply) => {
        const found = await keys.jwks(request.params.id);
        if (!found) throw notFound('Account');
        return reply.header('cache-control', 'public, max-age=300').send({ keys: found });
      },
    );
  };
}
