import { callerOf } from '#platform/access/guard.ts';
import type { App } from '#platform/http/app-kit.ts';
import { IdParams, Ok, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import * as s from './connections.schemas.ts';
import type { Connections } from './connections.service.ts';
import type { ShopApis } from './shop-apis.service.ts';

const read = { as: 'user', scope: 'shops:read' } as const;
const write = { as: 'user', scope: 'shops:write' } as const;
/** Its orders have customers emailed. */
const writeVerified = { ...write, verified: true } as const;
const tags = ['shops'];

export function connectionRoutes(connections: Connections, apis: ShopApis) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/shops',
      {
        config: { access: read },
        schema: {
          operationId: 'listShops',
          tags,
          summary: 'List the shops that report their sales, newest first',
          response: privateAnswers({ 200: s.Shops }),
        },
      },
      async (request) => ({ shops: await connections.list(callerOf(request).accountId), kinds: connections.kinds() }),
    );

    app.post(
      '/api/shops',
      {
        config: { access: writeVerified, idempotent: 'answer' },
        schema: {
          operationId: 'createShop',
          tags,
          summary: 'Connect a shop',
          description:
            'Paste `address` into the shop. A secret that we make is in this answer and never again; one that the shop makes is sent with `updateShop`.',
          body: s.ShopBody,
          response: privateAnswers({ 201: s.NewShop }, ...WRITE),
        },
      },
      async (request, reply) =>
        reply.code(201).send(await connections.create(callerOf(request), request.resourceId, request.body)),
    );

    app.get(
      '/api/shops/:id',
      {
        config: { access: read },
        schema: {
          operationId: 'getShop',
          tags,
          summary: 'Get a shop',
          params: IdParams,
          response: privateAnswers({ 200: s.ShopView }, 404),
        },
      },
      async (request) => connections.get(callerOf(request).accountId, request.params.id),
    );

    app.patch(
      '/api/shops/:id',
      {
        config: { access: write },
        schema: {
          operationId: 'updateShop',
          tags,
          summary: 'Change a shop',
          params: IdParams,
          body: s.ShopChangeBody,
          response: privateAnswers({ 200: s.ShopView }, 404, ...WRITE),
        },
      },
      async (request) => connections.update(callerOf(request), request.params.id, request.body),
    );

    app.delete(
      '/api/shops/:id',
      {
        config: { access: write },
        schema: {
          operationId: 'deleteShop',
          tags,
          summary: 'Delete a shop; its orders and their serials stay',
          params: IdParams,
          response: privateAnswers({ 200: Ok }, 404),
        },
      },
      async (request) => {
        await connections.delete(callerOf(request), request.params.id);
        return { ok: true as const };
      },
    );

    app.post(
      '/api/shops/:id/rotate-secret',
      {
        config: { access: write, idempotent: 'answer' },
        schema: {
          operationId: 'rotateShopSecret',
          tags,
          summary: 'Rotate the secret of a shop; the old one is accepted beside the new one for a while',
          params: IdParams,
          body: s.RotateShopBody,
          response: privateAnswers({ 200: s.NewShop }, 404, ...WRITE),
        },
      },
      async (request) => connections.rotate(callerOf(request), request.params.id, request.body),
    );

    app.put(
      '/api/shops/:id/credentials',
      {
        config: { access: write },
        schema: {
          operationId: 'openShop',
          tags,
          summary: 'Enter what opens a shop’s API',
          description:
            'It is tried before it is kept, sealed, and never shown again. A field that is left out stays as it is.',
          params: IdParams,
          body: s.ShopCredentialsBody,
          response: privateAnswers({ 200: s.ShopView }, 404, ...WRITE),
        },
      },
      async (request) => {
        const caller = callerOf(request);
        await apis.open(caller, request.params.id, request.body);
        return connections.get(caller.accountId, request.params.id);
      },
    );

    app.delete(
      '/api/shops/:id/credentials',
      {
        config: { access: write },
        schema: {
          operationId: 'closeShop',
          tags,
          summary: 'Forget what opens a shop’s API',
          params: IdParams,
          response: privateAnswers({ 200: s.ShopView }, 404),
        },
      },
      async (request) => {
        const caller = callerOf(request);
        await apis.close(caller, request.params.id);
        return connections.get(caller.accountId, request.params.id);
      },
    );

    app.post(
      '/api/shops/:id/reconcile',
      {
        config: { access: write },
        schema: {
          operationId: 'reconcileShop',
          tags,
          summary: 'Compare a shop’s own list of orders with what came, soon',
          params: IdParams,
          response: privateAnswers({ 200: s.ShopView }, 404, ...WRITE),
        },
      },
      async (request) => {
        const caller = callerOf(request);
        await apis.reconcile(caller, request.params.id);
        return connections.get(caller.accountId, request.params.id);
      },
    );

    app.post(
      '/api/shops/:id/pause',
      {
        config: { access: write },
        schema: {
          operationId: 'pauseShop',
          tags,
          summary: 'Pause a shop: what it reports is kept, and waits',
          params: IdParams,
          response: privateAnswers({ 200: s.ShopView }, 404),
        },
      },
      async (request) => connections.pause(callerOf(request), request.params.id),
    );

    app.post(
      '/api/shops/:id/resume',
      {
        config: { access: write },
        schema: {
          operationId: 'resumeShop',
          tags,
          summary: 'Resume a shop: what waited is worked on now',
          params: IdParams,
          response: privateAnswers({ 200: s.ShopView }, 404),
        },
      },
      async (request) => connections.resume(callerOf(request), request.params.id),
    );
  };
}
