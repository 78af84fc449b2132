import { z } from 'zod';
import { limits as redemptionLimits } from '#features/redemption';
import { callerOf } from '#platform/access/guard.ts';
import { invalidField } from '#platform/errors.ts';
import { pageHeaders } from '#platform/http/answers/page-headers.ts';
import type { App } from '#platform/http/app-kit.ts';
import { answers, IdParams, Ok, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import * as s from './unlocks.schemas.ts';
import type { Unlocks } from './unlocks.service.ts';

const read = { as: 'user', role: 'developer', scope: 'products:read' } as const;
// it gives a product away: no script, and no token that got lost, may do that
const decide = { as: 'session', role: 'developer' } as const;

export function unlockRoutes(unlocks: Unlocks) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/unlocks',
      {
        config: { access: read },
        schema: {
          operationId: 'listProductUnlocks',
          tags: ['products'],
          summary: 'List the unlocks for good of your products, newest first',
          description: '`X-Total-Count` has the total, `X-Next-Cursor` the cursor of the next page.',
          querystring: s.UnlocksQuery,
          response: privateAnswers({ 200: z.array(s.ProductUnlock) }),
        },
      },
      async (request, reply) => pageHeaders(reply, await unlocks.list(callerOf(request).accountId, request.query)),
    );

    app.get(
      '/api/products/:id/unlock',
      {
        config: { access: read },
        schema: {
          operationId: 'getProductUnlock',
          tags: ['products'],
          summary: 'Get the unlock for good of a product',
          params: IdParams,
          response: privateAnswers({ 200: s.ProductUnlock }, 404),
        },
      },
      async (request) => unlocks.get(callerOf(request).accountId, request.params.id),
    );

    app.post(
      '/api/products/:id/unlock',
      {
        config: { access: decide },
        schema: {
          operationId: 'makeProductUnlock',
          tags: ['products'],
          summary: 'Make an unlock for good: a license file for every computer, without an end',
          description:
            'Nobody has it until you download or publish it. A product has one; making it again answers the same.',
          params: IdParams,
          body: s.MakeUnlockBody,
          response: privateAnswers({ 200: s.ProductUnlock }, 404, ...WRITE),
        },
      },
      async (request) => unlocks.make(callerOf(request).accountId, request.params.id, request.body.product_name),
    );

    app.post(
      '/api/products/:id/unlock/download',
      {
        config: { access: decide },
        schema: {
          operationId: 'downloadProductUnlock',
          tags: ['products'],
          summary: 'Get the file of an unlock for good, to put it away',
          description: 'Keep it where only somebody you trust can reach it: it unlocks the product for whoever has it.',
          params: IdParams,
          response: privateAnswers({ 200: s.UnlockFile }, 404),
        },
      },
      async (request) => unlocks.download(callerOf(request).accountId, request.params.id),
    );

    app.post(
      '/api/products/:id/unlock/publish',
      {
        config: { access: decide },
        schema: {
          operationId: 'publishProductUnlock',
          tags: ['products'],
          summary: 'Publish an unlock for good on the redemption page',
          description: 'Cannot be undone. One that is published for owners can be published for everyone later.',
          params: IdParams,
          body: s.PublishUnlockBody,
          response: privateAnswers({ 200: s.ProductUnlock }, 404, 409, ...WRITE),
        },
      },
      async (request) => unlocks.publish(callerOf(request).accountId, request.params.id, request.body),
    );

    app.delete(
      '/api/products/:id/unlock',
      {
        config: { access: decide },
        schema: {
          operationId: 'withdrawProductUnlock',
          tags: ['products'],
          summary: 'Withdraw an unlock for good that is not published',
          description: 'A file that was downloaded before keeps working.',
          params: IdParams,
          response: privateAnswers({ 200: Ok }, 404, 409),
        },
      },
      async (request) => {
        await unlocks.withdraw(callerOf(request).accountId, request.params.id);
        return { ok: true as const };
      },
    );
  };
}

/** Routes for customers, on the redemption page. */
export function publishedUnlockRoutes(unlocks: Unlocks, developerOf: (host: string) => Promise<string | null>) {
  return async (app: App): Promise<void> => {
    const config = { access: { as: 'public' }, rateLimit: redemptionLimits.redeem } as const;
    app.get(
      '/api/redeem/unlocks',
      {
        config,
        schema: {
          operationId: 'listPublishedUnlocks',
          tags: ['redemption'],
          summary: 'List what a developer has unlocked for everyone, newest first',
          description: '`X-Next-Cursor` has the cursor of the next page.',
          querystring: s.PublishedQuery,
          response: answers({ 200: z.array(s.PublishedUnlock) }),
        },
      },
      async (request, reply) => {
        const developerId = request.query.dev ?? (await developerOf(request.host));
        if (!developerId) throw invalidField('dev', 'Open the page of the plugin’s maker. The link is in your order.');
        return pageHeaders(reply, await unlocks.published(developerId, request.query));
      },
    );

    app.get(
      '/api/redeem/unlocks/:id',
      {
        config,
        schema: {
          operationId: 'getPublishedUnlock',
          tags: ['redemption'],
          summary: 'Get the file of a published unlock for good',
          params: IdParams,
          response: answers({ 200: s.UnlockFile }, 404),
        },
      },
      async (request, reply) => {
        reply.header('content-disposition', 'attachment; filename="unlock.json"');
        return unlocks.publishedFile(request.params.id);
      },
    );
  };
}
