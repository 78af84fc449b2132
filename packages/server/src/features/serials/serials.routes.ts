import { callerOf } from '#platform/access/guard.ts';
import { AppError } from '#platform/errors.ts';
import { abortSignal, asFile, orStream, preferred, type ResponseFormat } from '#platform/http/answers/negotiate.ts';
import type { App } from '#platform/http/app-kit.ts';
import { IdParams, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import type { MadeBatch } from './generate/generate.ts';
import * as s from './serials.schemas.ts';
import type { Serials } from './serials.service.ts';

const read = { as: 'user', role: 'developer', scope: 'serials:read' } as const;
const write = { as: 'user', role: 'developer', scope: 'serials:write' } as const;
/** Of a code that the call makes, or of a serial that it changes. */
const naming = { ...write, shows: ['codes'] } as const;

export function serialRoutes(serials: Serials) {
  return async (app: App): Promise<void> => {
    app.post(
      '/api/serials/generate',
      {
        config: { access: naming, idempotent: 'resource', stream: 'rows' },
        schema: {
          operationId: 'generateSerials',
          tags: ['serials'],
          summary: 'Generate a batch of serials',
          description:
            'Creates all of them or none; `dry_run` reports what would be created. JSON up to 10,000; `Accept: text/csv` or `application/x-ndjson` streams up to 1,000,000.',
          body: s.GenerateBody,
          response: privateAnswers(
            { 200: s.Generated.describe('What would be created'), 201: orStream(s.Generated, 'The new batch') },
            404,
            406,
            ...WRITE,
          ),
        },
      },
      async (request, reply) => {
        if (request.body.dry_run)
          return serials.tryGenerate(callerOf(request), request.resourceId, request.body, abortSignal(reply));
        const form = preferred(request);
        refuseLongJson(form, request.body.quantity);
        const caller = callerOf(request);
        const signal = abortSignal(reply);
        const describe = (batch: MadeBatch) =>
          reply.code(201).header('x-batch-id', batch.id).header('x-total-count', String(batch.quantity));
        if (form === 'json') {
          const batch = await serials.generate(caller, request.resourceId, request.body, signal);
          describe(batch);
          return serials.batchSerials(caller.userId, batch);
        }
        const made = await serials.generateStream(caller, request.resourceId, request.body, form, signal);
        return asFile(describe(made.batch), form, 'serial_codes').send(made.stream);
      },
    );

    app.get(
      '/api/serials',
      {
        config: { access: read, stream: 'rows' },
        schema: {
          operationId: 'listSerials',
          tags: ['serials'],
          summary: 'List serials, newest first',
          description: '`Accept: text/csv` or `application/x-ndjson` streams all that match the filter.',
          querystring: s.ListSerialsQuery,
          response: privateAnswers({ 200: orStream(s.SerialPage, 'A page of serials') }, 406),
        },
      },
      async (request, reply) => {
        const form = preferred(request);
        const caller = callerOf(request);
        if (form === 'json') return serials.list(caller, request.query);
        const name = request.query.batch_id ? 'serial_batch_full' : 'serials';
        const rows = await serials.export(caller, request.query, form, abortSignal(reply));
        return asFile(reply, form, name).send(rows);
      },
    );

    app.get(
      '/api/serials/choices',
      {
        config: { access: read },
        schema: {
          operationId: 'listSerialChoices',
          tags: ['serials'],
          summary: 'What serials can be filtered by, with counts',
          description: 'At most 100,000 are counted, of each batch as many; of what a search finds, 10,000.',
          querystring: s.SerialChoicesQuery,
          response: privateAnswers({ 200: s.SerialChoiceCounts }),
        },
      },
      async (request) => serials.choices(callerOf(request), request.query),
    );

    app.get(
      '/api/serials/:id',
      {
        config: { access: read },
        schema: {
          operationId: 'getSerial',
          tags: ['serials'],
          summary: 'Get a serial with its owner, machines and history',
          params: IdParams,
          response: privateAnswers({ 200: s.SerialDetail }, 404),
        },
      },
      async (request) => serials.get(callerOf(request), request.params.id),
    );

    app.get(
      '/api/serials/:id/history',
      {
        config: { access: read },
        schema: {
          operationId: 'listSerialHistory',
          tags: ['serials'],
          summary: 'List what happened with a serial, newest first',
          params: IdParams,
          querystring: s.HistoryQuery,
          response: privateAnswers({ 200: s.HistoryPage }, 404),
        },
      },
      async (request) => serials.history(callerOf(request), request.params.id, request.query),
    );

    app.get(
      '/api/serials/:id/machines',
      {
        config: { access: read },
        schema: {
          operationId: 'listSerialMachines',
          tags: ['serials'],
          summary: 'List the machines of a serial: those with a seat first',
          params: IdParams,
          querystring: s.HistoryQuery,
          response: privateAnswers({ 200: s.MachinePage }, 404),
        },
      },
      async (request) => serials.machines(callerOf(request), request.params.id, request.query),
    );

    app.patch(
      '/api/serials/revoke/:id',
      {
        config: { access: naming },
        schema: {
          operationId: 'revokeSerial',
          tags: ['serials'],
          summary: 'Revoke a serial',
          params: IdParams,
          response: privateAnswers({ 200: s.SerialView }, 404, ...WRITE),
        },
      },
      async (request) => serials.revoke(callerOf(request), request.params.id),
    );

    app.patch(
      '/api/serials/reassign/:id',
      {
        config: { access: naming },
        schema: {
          operationId: 'reassignSerial',
          tags: ['serials'],
          summary: 'Undo a revocation',
          params: IdParams,
          response: privateAnswers({ 200: s.SerialView }, 404, ...WRITE),
        },
      },
      async (request) => serials.reassign(callerOf(request), request.params.id),
    );

    app.patch(
      '/api/serials/refresh/:id',
      {
        config: { access: naming },
        schema: {
          operationId: 'refreshSerial',
          tags: ['serials'],
          summary: 'Set the download count back to 0',
          description: 'Costs the plan’s overage price. Free on the free plan, and when the count is already 0.',
          params: IdParams,
          response: privateAnswers({ 200: s.RefreshedSerial }, 404, ...WRITE),
        },
      },
      async (request) => serials.refresh(callerOf(request), request.params.id),
    );

    app.post(
      '/api/serials/change',
      {
        config: { access: write },
        schema: {
          operationId: 'changeMatchingSerials',
          tags: ['serials'],
          summary: 'Revoke, reassign or delete all serials that fit a filter',
          description: 'All of them or none. Try it with `dry_run` first: it answers how many.',
          body: s.ChangeMatchingBody,
          response: privateAnswers({ 200: s.BulkAnswer }, ...WRITE),
        },
      },
      async (request) => serials.changeMatching(callerOf(request), request.body),
    );

    app.post(
      '/api/serials/bulk',
      {
        config: { access: write },
        schema: {
          operationId: 'changeSerials',
          tags: ['serials'],
          summary: 'Revoke, reassign or delete many serials at once',
          body: s.BulkBody,
          response: privateAnswers({ 200: s.BulkAnswer }, ...WRITE),
        },
      },
      async (request) => serials.bulk(callerOf(request), request.body),
    );

    app.post(
      '/api/serials/undo',
      {
        config: { access: write },
        schema: {
          operationId: 'undoSerialChange',
          tags: ['serials'],
          summary: 'Take a change of many serials back',
          description:
            'Exactly the serials that were revoked or reassigned at that moment. Those that were revoked or reassigned since stay as they are.',
          body: s.UndoChangeBody,
          response: privateAnswers({ 200: s.BulkAnswer }, ...WRITE),
        },
      },
      async (request) => serials.undoChange(callerOf(request), request.body),
    );
  };
}

function refuseLongJson(form: ResponseFormat, quantity: number): void {
  if (form === 'json' && quantity > s.MAX_JSON_QUANTITY) {
    throw new AppError(
      'not_acceptable',
      'More than 10,000 serials are only available as a stream: send "Accept: text/csv" or "Accept: application/x-ndjson".',
    );
  }
}
