import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { callerOf } from '#platform/access/guard.ts';
import { abortSignal, asFile } from '#platform/http/answers/negotiate.ts';
import type { App } from '#platform/http/app-kit.ts';
import { answers, IdParams, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import { ImportDetail } from './assistant/assistant.schemas.ts';
import type { Assistant } from './assistant/assistant.service.ts';
import * as s from './imports.schemas.ts';
import { digestOf, type Imports } from './imports.service.ts';
import { availableDemo } from './kinds/available.ts';
import { customersDemo } from './kinds/customers.ts';
import { redeemedDemo } from './kinds/redeemed.ts';
import type { ImportKind } from './kinds.ts';
import { sentFile, takeFiles } from './sent-file.http.ts';

const serials = { as: 'user', role: 'developer', scope: 'serials:write' } as const;
const customers = { as: 'user', role: 'developer', scope: 'customers:write' } as const;
const read = { as: 'user', role: 'developer', scope: ['serials:read', 'customers:read'] } as const;

const demos: Record<ImportKind, [name: string, text: string]> = {
  redeemed: ['Demo-Redeemed-Serials', redeemedDemo],
  available: ['Available-Serials-Demo', availableDemo],
  customers: ['Demo-Customers', customersDemo],
};

const routes = [
  ['/api/serials/import-redeemed', 'importRedeemedSerials', 'redeemed', serials, 'Import redeemed serials'],
  ['/api/serials/import-available', 'importAvailableSerials', 'available', serials, 'Import available serials'],
  ['/api/customers/import', 'importCustomers', 'customers', customers, 'Import customers'],
] as const;

export function importRoutes(imports: Imports, assistant: Assistant) {
  return async (app: App): Promise<void> => {
    await takeFiles(app);
    for (const [path, operationId, kind, access, summary] of routes) {
      app.post(
        path,
        {
          config: { access, stream: 'bulk', idempotent: 'upload' },
          schema: {
            operationId,
            tags: ['imports'],
            summary,
            description:
              'A CSV as a multipart file. Valid lines are imported and the others reported. If the upload breaks off, nothing is imported.',
            consumes: ['multipart/form-data'],
            querystring: s.ImportQuery,
            body: s.FileForm,
            response: privateAnswers({ 200: s.ImportAnswer }, ...WRITE),
          },
        },
        async (request, reply) => run(request, reply, kind, request.query),
      );
    }

    const run = async (request: FastifyRequest, reply: FastifyReply, kind: ImportKind, query: s.ImportQuery) => {
      const { dry_run: dryRun, ...hints } = query;
      const { source, fileName } = await sentFile(request, 'import.csv');
      if (request.idempotency?.replay) {
        await reply.uploaded(await digestOf(source));
        return reply;
      }
      return imports.run(callerOf(request), {
        id: request.resourceId,
        kind,
        fileName,
        source,
        dryRun,
        hints,
        signal: abortSignal(reply),
        onReceived: async (digest) => void (await reply.uploaded(digest)),
        onBeat: () => reply.stillWorking(),
      });
    };

    app.get(
      '/api/imports',
      {
        config: { access: read },
        schema: {
          operationId: 'listImports',
          tags: ['imports'],
          summary: 'List imports, newest first',
          description:
            'An access token sees those of serials with `serials:read`, those of customers with `customers:read`.',
          querystring: s.ListImportsQuery,
          response: privateAnswers({ 200: z.array(s.ImportView) }),
        },
      },
      async (request, reply) => {
        const { rows, next_cursor } = await imports.list(callerOf(request), request.query);
        if (next_cursor) reply.header('x-next-cursor', next_cursor);
        return rows;
      },
    );

    app.get(
      '/api/imports/:id',
      {
        config: { access: read },
        schema: {
          operationId: 'getImport',
          tags: ['imports'],
          summary: 'Get an import: its progress or result, and how its file is understood',
          params: IdParams,
          response: privateAnswers({ 200: ImportDetail }, 404),
        },
      },
      async (request) => assistant.get(callerOf(request), request.params.id),
    );

    app.get(
      '/api/imports/:id/report',
      {
        config: { access: read },
        schema: {
          operationId: 'downloadImportReport',
          tags: ['imports'],
          summary: 'Download the rejected lines of an import as CSV',
          description: 'Email addresses are omitted for an access token without `customers:read`.',
          params: IdParams,
          response: privateAnswers(
            { 200: { description: 'Line, What, Reason', content: { 'text/csv': { schema: z.string() } } } },
            404,
          ),
        },
      },
      async (request, reply) => {
        const report = await imports.report(callerOf(request), request.params.id);
        if (report.size !== null) reply.header('content-length', report.size);
        return asFile(reply, 'csv', 'rejected-lines').send(report.stream);
      },
    );

    app.get(
      '/api/imports/demo/:kind',
      {
        config: { access: { as: 'public' } },
        schema: {
          operationId: 'downloadDemoCsv',
          tags: ['imports'],
          summary: 'Download a sample file with the columns of an import',
          params: s.DemoParams,
          response: answers({ 200: { description: 'A small CSV', content: { 'text/csv': { schema: z.string() } } } }),
        },
      },
      async (request, reply) => {
        const [name, text] = demos[request.params.kind];
        return asFile(reply, 'csv', name).send(text);
      },
    );
  };
}
