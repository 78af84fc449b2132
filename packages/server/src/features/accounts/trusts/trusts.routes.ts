import { z } from 'zod';
import { callerOf } from '#platform/access/guard.ts';
import type { App } from '#platform/http/app-kit.ts';
import { answers, IdParams, Ok, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import { deviceOf } from '#platform/network/device.ts';
import { limits } from '../limits.ts';
import type { Exchanges } from './exchanges.service.ts';
import * as s from './trusts.schemas.ts';
import type { Trusts } from './trusts.service.ts';

const developer = { as: 'session', role: 'developer' } as const;

export function trustRoutes(trusts: Trusts, exchanges: Exchanges) {
  return async (app: App): Promise<void> => {
    app.post(
      '/api/auth/oidc/exchange',
      {
        // once, but for a job whose response was lost: GitLab gives it no other identity token
        config: { access: { as: 'public' }, rateLimit: limits.exchange, idempotent: 'answer' },
        schema: {
          operationId: 'exchangeIdentityToken',
          tags: ['accounts'],
          summary: 'Exchange the identity token of a CI job for an access token that works for 15 minutes',
          description:
            'The trust decides which jobs it is for, and what they may do. The audience (`aud`) of the identity token must be this server’s public address, and each can be exchanged once.',
          body: s.ExchangeBody,
          response: answers({ 200: s.IssuedToken }, 401, ...WRITE),
        },
      },
      async (request) => exchanges.exchange(request.resourceId, request.body.trust, request.body.token),
    );

    app.get(
      '/api/developer/trusts',
      {
        config: { access: developer },
        schema: {
          operationId: 'listTrusts',
          tags: ['trusts'],
          summary: 'List trusts for CI jobs, newest first',
          response: privateAnswers({ 200: z.array(s.TrustView) }),
        },
      },
      async (request) => trusts.list(callerOf(request)),
    );

    app.post(
      '/api/developer/trusts',
      {
        config: { access: developer, idempotent: 'answer' },
        schema: {
          operationId: 'createTrust',
          tags: ['trusts'],
          summary: 'Trust jobs of a repository: they get tokens for 15 minutes, without a secret',
          body: s.CreateTrustBody,
          response: privateAnswers({ 201: s.TrustView }, ...WRITE),
        },
      },
      async (request, reply) => {
        const made = await trusts.create(callerOf(request), request.resourceId, request.body, deviceOf(request));
        return reply.code(201).send(made);
      },
    );

    app.get(
      '/api/developer/trusts/:id',
      {
        config: { access: developer },
        schema: {
          operationId: 'getTrust',
          tags: ['trusts'],
          summary: 'Get a trust',
          params: IdParams,
          response: privateAnswers({ 200: s.TrustView }, 404),
        },
      },
      async (request) => trusts.get(callerOf(request), request.params.id),
    );

    app.patch(
      '/api/developer/trusts/:id',
      {
        config: { access: developer },
        schema: {
          operationId: 'updateTrust',
          tags: ['trusts'],
          summary: 'Change a trust; tokens that it issued stop working',
          params: IdParams,
          body: s.UpdateTrustBody,
          response: privateAnswers({ 200: s.TrustView }, 404, ...WRITE),
        },
      },
      async (request) => trusts.update(callerOf(request), request.params.id, request.body, deviceOf(request)),
    );

    app.delete(
      '/api/developer/trusts/:id',
      {
        config: { access: developer },
        schema: {
          operationId: 'deleteTrust',
          tags: ['trusts'],
          summary: 'Delete a trust; tokens that it issued stop working',
          params: IdParams,
          response: privateAnswers({ 200: Ok }, 404),
        },
      },
      async (request) => {
        await trusts.delete(callerOf(request), request.params.id);
        return { ok: true as const };
      },
    );
  };
}
