import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type DownloadPages, fileErrorHandler } from '#features/branding';
import { callerOf } from '#platform/access/guard.ts';
import { AppError } from '#platform/errors.ts';
import { pageHeaders } from '#platform/http/answers/page-headers.ts';
import type { App } from '#platform/http/app-kit.ts';
import { answers, COUNTED_PAGE, IdParams, Ok, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import { CreateFileBody, FileView, PartHeaders } from './files.schemas.ts';
import { type Files, WrongOffset } from './files.service.ts';
import { sendRanged } from './send-ranged.http.ts';

const read = { as: 'user', role: 'developer', scope: 'products:read' } as const;
const write = { as: 'user', role: 'developer', scope: 'products:write' } as const;

export function fileRoutes(files: Files, downloadPages: DownloadPages) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/files',
      {
        config: { access: read },
        schema: {
          operationId: 'listFiles',
          tags: ['files'],
          summary: 'List stored files and unfinished uploads, newest first',
          description: '`X-Total-Count` has the total, `X-Next-Cursor` the cursor of the next page.',
          querystring: z.object(COUNTED_PAGE),
          response: privateAnswers({ 200: z.array(FileView) }),
        },
      },
      async (request, reply) => {
        return pageHeaders(reply, await files.list(callerOf(request).accountId, request.query));
      },
    );

    app.post(
      '/api/files',
      {
        config: { access: write, idempotent: 'answer' },
        schema: {
          operationId: 'createFile',
          tags: ['files'],
          summary: 'Start uploading a file',
          description: 'Then send its parts one after the other. An upload without activity for seven days is removed.',
          body: CreateFileBody,
          response: privateAnswers({ 201: FileView }, ...WRITE),
        },
      },
      async (request, reply) => {
        const file = await files.create(callerOf(request).accountId, request.resourceId, request.body);
        return reply.code(201).send(file);
      },
    );

    app.get(
      '/api/files/:id',
      {
        config: { access: read },
        schema: {
          operationId: 'getFile',
          tags: ['files'],
          summary: 'Get the progress of an upload',
          params: IdParams,
          response: privateAnswers({ 200: FileView }, 404),
        },
      },
      async (request) => files.get(callerOf(request).accountId, request.params.id),
    );

    app.get(
      '/api/files/:id/download',
      {
        config: { access: read },
        schema: {
          operationId: 'downloadOwnFile',
          tags: ['files'],
          summary: 'Redirect to one of your files',
          description: 'The URL is valid for 15 minutes and needs no credential.',
          params: IdParams,
          response: privateAnswers({ 302: z.null().describe('Redirect to the file') }, 404, 409),
        },
      },
      async (request, reply) => {
        const url = await files.ownLink(callerOf(request).accountId, request.params.id);
        return reply.header('referrer-policy', 'no-referrer').redirect(url);
      },
    );

    app.delete(
      '/api/files/:id',
      {
        config: { access: write },
        schema: {
          operationId: 'deleteFile',
          tags: ['files'],
          summary: 'Delete a file or an unfinished upload',
          description: 'Refused while a product, or a version that it keeps, has the file.',
          params: IdParams,
          response: privateAnswers({ 200: Ok }, 404, 409),
        },
      },
      async (request) => {
        await files.delete(callerOf(request).accountId, request.params.id);
        return { ok: true as const };
      },
    );

    await app.register(parts(files));

    app.route({
      // HEAD is spelled out: the one Fastify makes would read the whole file to throw it away
      method: ['GET', 'HEAD'],
      url: '/media/files/:token/:name',
      exposeHeadRoute: false,
      config: { access: { as: 'public' }, lane: 'licensing', stream: 'file' },
      errorHandler: fileErrorHandler(downloadPages, ({ params }) => files.about((params as { token: string }).token)),
      schema: {
        hide: true,
        params: z.object({ token: z.string(), name: z.string() }),
        response: answers({ 200: z.any(), 206: z.any(), 304: z.any(), 416: z.any() }, 401, 403, 404),
      },
      handler: async (request, reply) => download(files, request.params.token, request, reply),
    });
  };
}

/** A scope of its own: here a body is bytes, and they are not collected but handed on. */
function parts(files: Files) {
  return async (app: App): Promise<void> => {
    app.removeAllContentTypeParsers();
    // the stream stays in `request.raw`: as `request.body` it would be walked through like a parsed one
    app.addContentTypeParser('application/octet-stream', (_request, _payload, done) => done(null, undefined));

    app.patch(
      '/api/files/:id',
      {
        config: { access: write, stream: 'file' },
        schema: {
          operationId: 'uploadFilePart',
          tags: ['files'],
          summary: 'Send the next part of a file',
          description:
            'Exactly `part_size` bytes; the last part has the rest. A part counts once it is complete. After an interruption, ask ' +
            'for `received` and continue there; a 409 has it in `Upload-Offset`. If every byte was received but the file is ' +
            'not complete, an empty part completes it.',
          consumes: ['application/octet-stream'],
          params: IdParams,
          headers: PartHeaders,
          body: z.any().optional().meta({ type: 'string', format: 'binary' }),
          response: privateAnswers({ 200: FileView }, 404, 409, 415),
        },
      },
      async (request, reply) => {
        const length = request.headers['content-length'];
        const part = {
          offset: Number(request.headers['upload-offset']),
          length: length === undefined ? undefined : Number(length),
          body: request.raw,
        };
        try {
          const file = await files.uploadPart(callerOf(request).accountId, request.params.id, part);
          reply.header('upload-offset', String(file.received));
          return file;
        } catch (error) {
          if (error instanceof WrongOffset) reply.header('upload-offset', String(error.received));
          // the client has disconnected and cannot read this, but it is not a server error either
          if (request.raw.errored)
            throw new AppError('malformed_body', 'The connection was interrupted.', { cause: error });
          // the request's body has to be read to the end, or the connection hangs
          request.raw.resume();
          throw error;
        }
      },
    );
  };
}

async function download(files: Files, token: string, request: FastifyRequest, reply: FastifyReply) {
  const file = await files.open(token);
  return sendRanged(file, (range) => files.read(file, range), request, reply);
}
