import { z } from 'zod';
import { callerOf } from '#platform/access/guard.ts';
import type { App } from '#platform/http/app-kit.ts';
import { IdParams, Ok, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import { deviceOf } from '#platform/network/device.ts';
import * as s from './access-tokens.schemas.ts';
import type { AccessTokens } from './access-tokens.service.ts';

export function accessTokenRoutes(tokens: AccessTokens) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/account/tokens',
      {
        config: { access: { as: 'session' } },
        schema: {
          operationId: 'listAccessTokens',
          tags: ['account'],
          summary: 'List access tokens',
          response: privateAnswers({ 200: z.array(s.AccessTokenView) }),
        },
      },
      async (request) => tokens.list(callerOf(request)),
    );

    app.post(
      '/api/account/tokens',
      {
        config: { access: { as: 'session' }, idempotent: 'answer' },
        schema: {
          operationId: 'createAccessToken',
          tags: ['account'],
          summary: 'Create an access token; it is shown once',
          body: s.CreateAccessTokenBody,
          response: privateAnswers({ 201: s.NewAccessToken }, ...WRITE),
        },
      },
      async (request, reply) => {
        const created = await tokens.create(callerOf(request), request.resourceId, request.body, deviceOf(request));
        return reply.code(201).send(created);
      },
    );

    app.delete(
      '/api/account/tokens/:id',
      {
        config: { access: { as: 'session' } },
        schema: {
          operationId: 'deleteAccessToken',
          tags: ['account'],
          summary: 'Delete an access token',
          params: IdParams,
          response: privateAnswers({ 200: Ok }, 404),
        },
      },
      async (request) => {
        await tokens.delete(callerOf(request), request.params.id);
        return { ok: true as const };
      },
    );
  };
}
