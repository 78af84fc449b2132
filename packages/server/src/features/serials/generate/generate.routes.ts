import { callerOf } from '#platform/access/guard.ts';
import { AppError } from '#platform/errors.ts';
import { abortSignal, asFile, orStream, preferred, type ResponseFormat } from '#platform/http/answers/negotiate.ts';
import type { App } from '#platform/http/app-kit.ts';
import { privateAnswers, WRITE } from '#platform/http/schemas.ts';
import { naming } from '../serials-access.ts';
import * as s from './generate.schemas.ts';
import type { SerialGenerator } from './generate.service.ts';
import type { MadeBatch } from './generate.ts';

export function generateRoutes(generator: SerialGenerator) {
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
          return generator.tryGenerate(callerOf(request), request.resourceId, request.body, abortSignal(reply));
        const form = preferred(request);
        refuseLongJson(form, request.body.quantity);
        const caller = callerOf(request);
        const signal = abortSignal(reply);
        const describe = (batch: MadeBatch) =>
          reply.code(201).header('x-batch-id', batch.id).header('x-total-count', String(batch.quantity));
        if (form === 'json') {
          const batch = await generator.generate(caller, request.resourceId, request.body, signal);
          describe(batch);
          return generator.batchSerials(caller.accountId, batch);
        }
        const made = await generator.generateStream(caller, request.resourceId, request.body, form, signal);
        return asFile(describe(made.batch), form, 'serial_codes').send(made.stream);
      },
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
