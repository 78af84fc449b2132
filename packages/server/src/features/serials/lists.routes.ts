import { callerOf } from '#platform/access/guard.ts';
import { tellWithheld } from '#platform/access/withhold.ts';
import { abortSignal, asFile, jsonOrCsv, orCsv, orStream, preferred } from '#platform/http/answers/negotiate.ts';
import type { App } from '#platform/http/app-kit.ts';
import { IdParams, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import * as b from './batches/batches.schemas.ts';
import type { SerialLists } from './listing.service.ts';
import * as s from './serials.schemas.ts';

const read = { as: 'user', role: 'developer', scope: 'serials:read' } as const;
const write = { as: 'user', role: 'developer', scope: 'serials:write' } as const;

export function serialListRoutes(lists: SerialLists) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/serials/available',
      {
        config: { access: read },
        schema: {
          operationId: 'listAvailableSerials',
          tags: ['serials'],
          summary: 'Available serials, by product and by promo',
          querystring: s.AvailableQuery,
          response: privateAnswers({ 200: s.AvailableSerials }),
        },
      },
      async (request) => lists.available(callerOf(request), request.query),
    );

    app.get(
      '/api/serials/redeemed',
      {
        config: { access: read, stream: 'rows' },
        schema: {
          operationId: 'listRedeemedSerials',
          tags: ['serials'],
          summary: 'Redeemed serials with their customers, newest first',
          description: '`Accept: text/csv` streams all that match the filter.',
          querystring: s.RedeemedQuery,
          response: privateAnswers({ 200: orCsv(s.RedeemedPage, 'A page of redeemed serials') }, 406),
        },
      },
      async (request, reply) => {
        const form = jsonOrCsv(request);
        const caller = callerOf(request);
        if (form === 'json') return lists.redeemed(caller, request.query);
        const rows = await lists.redeemedCsv(caller, request.query, abortSignal(reply));
        tellWithheld(reply, caller, 'people');
        return asFile(reply, form, 'redeemed_serials').send(rows);
      },
    );

    app.get(
      '/api/serials/redeemed/choices',
      {
        config: { access: read },
        schema: {
          operationId: 'listRedeemedChoices',
          tags: ['serials'],
          summary: 'What redeemed serials can be filtered by, with counts',
          description:
            'Products, resellers and countries are counted whole as long as only they are filtered by; the rest among the newest 10,000, or 100,000 where a status is chosen.',
          querystring: s.RedeemedChoicesQuery,
          response: privateAnswers({ 200: s.RedeemedChoiceCounts }),
        },
      },
      async (request) => lists.redeemedChoices(callerOf(request), request.query),
    );

    app.post(
      '/api/serials/redeemed/change',
      {
        config: { access: write },
        schema: {
          operationId: 'changeRedeemedSerials',
          tags: ['serials'],
          summary: 'Revoke, reassign or reset the downloads of all redeemed serials that fit a filter',
          description: 'All of them or none. Try it with `dry_run` first: it answers how many, and what it would cost.',
          body: s.ChangeRedeemedBody,
          response: privateAnswers({ 200: s.ChangedRedeemed }, ...WRITE),
        },
      },
      async (request) => lists.changeRedeemed(callerOf(request), request.body),
    );

    app.get(
      '/api/serials/group/:groupName',
      {
        config: { access: read, stream: 'rows' },
        schema: {
          operationId: 'listSerialGroup',
          tags: ['serials'],
          summary: 'List the available serials of one group',
          description: '`Accept: text/csv` or `application/x-ndjson` streams all of them.',
          params: s.GroupParams,
          querystring: s.ListGroupQuery,
          response: privateAnswers({ 200: orStream(s.SerialPage, 'A page of the group') }, 404, 406, 422),
        },
      },
      async (request, reply) => {
        const form = preferred(request);
        const ref = { name: request.params.groupName, ...request.query };
        if (form === 'json') return lists.group(callerOf(request), ref, request.query);
        const rows = await lists.groupStream(callerOf(request), ref, form, abortSignal(reply));
        return asFile(reply, form, 'serials').send(rows);
      },
    );

    app.delete(
      '/api/serials/group/:groupName',
      {
        config: { access: write },
        schema: {
          operationId: 'deleteSerialGroup',
          tags: ['serials'],
          summary: 'Delete the available serials of a group',
          description: 'Redeemed and revoked serials are kept.',
          params: s.GroupParams,
          querystring: s.DeleteGroupQuery,
          response: privateAnswers({ 200: s.DeletedGroup }, 404, 422),
        },
      },
      async (request) => {
        const { dry_run } = request.query;
        const ref = { name: request.params.groupName, ...request.query };
        const count = await lists.deleteGroup(callerOf(request), ref, dry_run);
        const serials = count === 1 ? '1 serial' : `${count} serials`;
        return { message: dry_run ? `${serials} would be deleted.` : `${serials} deleted.`, count, dry_run };
      },
    );

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
      async (request) => lists.batches(callerOf(request), request.query),
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
      async (request) => lists.batchChoices(callerOf(request), request.query),
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
      async (request) => lists.batch(callerOf(request), request.params.id),
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
      async (request) => lists.changeBatch(callerOf(request), request.params.id, request.body),
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
      async (request) => lists.batchFunnel(callerOf(request), request.params.id),
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
          querystring: s.RevokeBatchQuery,
          response: privateAnswers({ 200: s.RevokedBatch }, 404, ...WRITE),
        },
      },
      async (request) => {
        const { dry_run } = request.query;
        return lists.revokeBatch(callerOf(request), request.params.id, dry_run);
      },
    );
  };
}
