import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { callerOf } from '../../platform/access/guard.ts';
import { AppError } from '../../platform/errors.ts';
import type { App } from '../../platform/http/app-kit.ts';
import { abortSignal, type Form, preferred } from '../../platform/http/negotiate.ts';
import { IdParams, privateAnswers, WRITE } from '../../platform/http/schemas.ts';
import * as s from './serials.schemas.ts';
import type { Serials } from './serials.service.ts';

const read = { as: 'user', role: 'developer', scope: 'serials:read' } as const;
const write = { as: 'user', role: 'developer', scope: 'serials:write' } as const;

/** Both forms of an answer: one JSON document, or a stream of lines. */
const orStream = (json: z.ZodType, description: string) => ({
  description,
  content: {
    'application/json': { schema: json },
    'text/csv': { schema: z.string() },
    'application/x-ndjson': { schema: z.string() },
  },
});

export function serialRoutes(serials: Serials) {
  return async (app: App): Promise<void> => {
    app.post(
      '/api/serials/generate',
      {
        config: { access: write, idempotent: 'resource' },
        schema: {
          operationId: 'generateSerials',
          tags: ['serials'],
          summary: 'Generate a batch of serials',
          description:
            'All of them, or none. JSON up to 10,000; `Accept: text/csv` or `application/x-ndjson` streams up to 1,000,000.',
          body: s.GenerateBody,
          response: privateAnswers({ 201: orStream(s.Generated, 'The new batch') }, 404, 406, ...WRITE),
        },
      },
      async (request, reply) => {
        const form = preferred(request);
        refuseLongJson(form, request.body.quantity);
        const batch = await serials.generate(callerOf(request), request.resourceId, request.body, abortSignal(reply));
        reply.code(201).header('x-batch-id', batch.id).header('x-total-count', String(batch.quantity));
        if (form === 'json') return serials.batchSerials(batch);
        return stream(reply, form, 'serial_codes').send(serials.batchStream(batch, form));
      },
    );

    app.get(
      '/api/serials',
      {
        config: { access: read },
        schema: {
          operationId: 'listSerials',
          tags: ['serials'],
          summary: 'List serials, newest first',
          description: '`Accept: text/csv` or `application/x-ndjson` streams all that fit the filter.',
          querystring: s.ListSerialsQuery,
          response: privateAnswers({ 200: orStream(s.SerialPage, 'A page of serials') }, 406),
        },
      },
      async (request, reply) => {
        const form = preferred(request);
        const caller = callerOf(request);
        if (form === 'json') return serials.list(caller, request.query);
        return stream(reply, form, 'serials').send(serials.export(caller, request.query, form));
      },
    );

    app.get(
      '/api/serials/available',
      {
        config: { access: read },
        schema: {
          operationId: 'listAvailableSerials',
          tags: ['serials'],
          summary: 'What can be redeemed now, by product and by promotion',
          querystring: s.AvailableQuery,
          response: privateAnswers({ 200: s.AvailableSerials }),
        },
      },
      async (request) => serials.available(callerOf(request), request.query),
    );

    app.get(
      '/api/serials/redeemed',
      {
        config: { access: read },
        schema: {
          operationId: 'listRedeemedSerials',
          tags: ['serials'],
          summary: 'Redeemed serials with their customers, newest first',
          querystring: s.RedeemedQuery,
          response: privateAnswers({ 200: s.RedeemedPage }),
        },
      },
      async (request) => serials.redeemed(callerOf(request), request.query),
    );

    app.patch(
      '/api/serials/revoke/:id',
      {
        config: { access: write },
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
        config: { access: write },
        schema: {
          operationId: 'reassignSerial',
          tags: ['serials'],
          summary: 'Take a revocation back',
          params: IdParams,
          response: privateAnswers({ 200: s.SerialView }, 404, ...WRITE),
        },
      },
      async (request) => serials.reassign(callerOf(request), request.params.id),
    );
  };
}

function refuseLongJson(form: Form, quantity: number): void {
  if (form === 'json' && quantity > s.MAX_JSON_QUANTITY) {
    throw new AppError(
      'not_acceptable',
      'More than 10,000 serials come as a stream: send "Accept: text/csv" or "Accept: application/x-ndjson".',
    );
  }
}

function stream(reply: FastifyReply, form: 'csv' | 'ndjson', name: string): FastifyReply {
  const type = form === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8';
  return reply.type(type).header('content-disposition', `attachment; filename="${name}.${form}"`);
}
