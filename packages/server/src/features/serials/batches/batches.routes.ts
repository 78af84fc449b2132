import { callerOf } from '#platform/access/guard.ts';
import type { App } from '#platform/http/app-kit.ts';
import { IdParams, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import { read, write } from '../serials-access.ts';
import * as b from './batches.schemas.ts';
import type { Batches } from './batches.service.ts';

export function batchRoutes(batches: Batches) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/batches',
      {
        config: { access: read },
        schema: {
          operationId: 'listBatches',
          tags: ['serials'],
          summary: 'List batches, newest first',
          querystring: b.ListBatchesQuery,
          response: privateAnswers({ 200: b.BatchPage }),
        },
      },
      async (request) => batches.list(callerOf(request), request.query),
    );

    app.get(
      '/api/batches/choices',
      {
        config: { access: read },
        schema: {
          operationId: 'listBatchChoices',
          tags: ['serials'],
          summary: 'What batches can be filtered by, with counts',
          querystring: b.BatchChoicesQuery,
          response: privateAnswers({ 200: b.BatchChoiceCounts }),
        },
      },
      async (request) => batches.choices(callerOf(request), request.query),
    );

    app.get(
      '/api/batches/:id',
      {
        config: { access: read },
        schema: {
          operationId: 'getBatch',
          tags: ['serials'],
          summary: 'Get a batch and the state of its serials',
          description: 'Its serials: `GET /api/serials?batch_id=…`.',
          params: IdParams,
          response: privateAnswers({ 200: b.BatchView }, 404),
        },
      },
      async (request) => batches.get(callerOf(request), request.params.id),
    );

    app.patch(
      '/api/batches/:id',
      {
        config: { access: write },
        schema: {
          operationId: 'changeBatch',
          tags: ['serials'],
          summary: 'Change the dates of a batch: when its serials can be redeemed, and its promo runs',
          description: 'Redeemed serials are their customers’ for good, whatever the dates of their batch.',
          params: IdParams,
          body: b.ChangeBatchBody,
          response: privateAnswers({ 200: b.BatchView }, 404, ...WRITE),
        },
      },
      async (request) => batches.change(callerOf(request), request.params.id, request.body),
    );

    app.get(
      '/api/batches/:id/funnel',
      {
        config: { access: read },
        schema: {
          operationId: 'getBatchFunnel',
          tags: ['serials'],
          summary: 'Count how far the serials of a batch came',
          description:
            'From being generated to being handed out, redeemed and activated. Each one is counted in all its stages.',
          params: IdParams,
          response: privateAnswers({ 200: b.BatchFunnel }, 404),
        },
      },
      async (request) => batches.funnel(callerOf(request), request.params.id),
    );

    app.post(
      '/api/batches/:id/revoke',
      {
        config: { access: write },
        schema: {
          operationId: 'revokeBatch',
          tags: ['serials'],
          summary: 'Revoke the unredeemed serials of a batch',
          params: IdParams,
          querystring: b.RevokeBatchQuery,
          response: privateAnswers({ 200: b.RevokedBatch }, 404, ...WRITE),
        },
      },
      async (request) => {
        const { dry_run } = request.query;
        return batches.revoke(callerOf(request), request.params.id, dry_run);
      },
    );
  };
}
