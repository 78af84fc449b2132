import { callerOf } from '#platform/access/guard.ts';
import { abortSignal } from '#platform/http/answers/negotiate.ts';
import type { App } from '#platform/http/app-kit.ts';
import { IdParams, Ok, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import { digestOf } from '../imports.service.ts';
import { sentFile, takeFiles } from '../sent-file.http.ts';
import * as s from './assistant.schemas.ts';
import type { Assistant } from './assistant.service.ts';

const write = { as: 'user', role: 'developer', scope: ['serials:write', 'customers:write'] } as const;

export function assistantRoutes(assistant: Assistant) {
  return async (app: App): Promise<void> => {
    await takeFiles(app);

    app.post(
      '/api/imports',
      {
        config: { access: write, stream: 'bulk', idempotent: 'upload' },
        schema: {
          operationId: 'createImport',
          tags: ['imports'],
          summary: 'Read a file and propose how to import it',
          description:
            'Nothing is imported yet: the answer has what was found, what each column is likely to be, and what has to be settled first. `check` tries it, `run` imports it.',
          consumes: ['multipart/form-data'],
          body: s.SourceForm,
          response: privateAnswers({ 201: s.ImportDetail }, ...WRITE),
        },
      },
      async (request, reply) => {
        const { source, fileName } = await sentFile(request, 'import');
        if (request.idempotency?.replay) {
          await reply.uploaded(await digestOf(source));
          return reply;
        }
        const order = { id: request.resourceId, fileName, source, signal: abortSignal(reply) };
        const onReceived = async (digest: Buffer) => void (await reply.uploaded(digest));
        return reply.code(201).send(await assistant.read(callerOf(request), { ...order, onReceived }));
      },
    );

    app.patch(
      '/api/imports/:id',
      {
        config: { access: write },
        schema: {
          operationId: 'changeImport',
          tags: ['imports'],
          summary: 'Change how the file of an import is understood',
          description: 'Only what is sent is changed; null takes back what was said before. Until it has run.',
          params: IdParams,
          body: s.ChangeImport,
          response: privateAnswers({ 200: s.ImportDetail }, 404, ...WRITE),
        },
      },
      async (request) => assistant.change(callerOf(request), request.params.id, request.body),
    );

    app.delete(
      '/api/imports/:id',
      {
        config: { access: write },
        schema: {
          operationId: 'discardImport',
          tags: ['imports'],
          summary: 'Discard a file that was read, and not imported',
          description: 'It is forgotten by itself after 30 days. What was imported is taken back by `undo` instead.',
          params: IdParams,
          response: privateAnswers({ 200: Ok }, 404, 409),
        },
      },
      async (request) => {
        await assistant.discard(callerOf(request), request.params.id);
        return { ok: true as const };
      },
    );

    app.post(
      '/api/imports/:id/check',
      {
        config: { access: write, stream: 'bulk' },
        schema: {
          operationId: 'checkImport',
          tags: ['imports'],
          summary: 'Try an import without keeping anything of it',
          description:
            'Reads the whole file: the answer has the first lines as they will be, and why others are refused. For a large file (32 MiB, a workbook of 4 MiB) it is 202, with the state `checking`: `getImport` and the live event `import` show how far it is. It is `open` again when it is done, with an `error` if the file cannot be read.',
          params: IdParams,
          response: privateAnswers({ 200: s.ImportDetail, 202: s.ImportDetail }, 404, ...WRITE),
        },
      },
      async (request, reply) => {
        const checked = await assistant.check(callerOf(request), request.params.id, abortSignal(reply));
        return reply.code(checked.state === 'checking' ? 202 : 200).send(checked);
      },
    );

    app.post(
      '/api/imports/:id/run',
      {
        config: { access: write },
        schema: {
          operationId: 'runImport',
          tags: ['imports'],
          summary: 'Import the file',
          description:
            'Begins at once and goes on by itself: `getImport` and the live event `import` show how far it is. All valid lines are imported, or none. One that failed can be run again.',
          params: IdParams,
          response: privateAnswers({ 202: s.ImportDetail }, 404, ...WRITE),
        },
      },
      async (request, reply) => reply.code(202).send(await assistant.run(callerOf(request), request.params.id)),
    );

    app.post(
      '/api/imports/:id/undo',
      {
        config: { access: write },
        schema: {
          operationId: 'undoImport',
          tags: ['imports'],
          summary: 'Take an import back',
          description:
            'Deletes what it brought, while nothing was built on it: no seat, download, refund, statement or later change. Serials that were in stock before return there, and resellers that only its file named go, as do names that it filled in for other customers.',
          params: IdParams,
          querystring: s.UndoQuery,
          response: privateAnswers({ 202: s.ImportUndo }, 404, ...WRITE),
        },
      },
      async (request, reply) => {
        const { rest, dry_run: dryRun } = request.query;
        return reply.code(202).send(await assistant.undo(callerOf(request), request.params.id, { rest, dryRun }));
      },
    );
  };
}
