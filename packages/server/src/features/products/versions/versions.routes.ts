import { z } from 'zod';
import { callerOf } from '#platform/access/guard.ts';
import type { App } from '#platform/http/app-kit.ts';
import { IdParams, Ok, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import { AnnouncedVersion, AnnounceVersionBody, CreateFileVersionBody, FileVersionView } from './versions.schemas.ts';
import type { FileVersions } from './versions.service.ts';

const read = { as: 'user', role: 'developer', scope: 'products:read' } as const;
const write = { as: 'user', role: 'developer', scope: 'products:write' } as const;

export function fileVersionRoutes(versions: FileVersions) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/products/:id/file-versions',
      {
        config: { access: read },
        schema: {
          operationId: 'listFileVersions',
          tags: ['products'],
          summary: 'List the versions of a product’s files, newest first',
          params: IdParams,
          response: privateAnswers({ 200: z.array(FileVersionView) }, 404),
        },
      },
      async (request) => versions.list(callerOf(request).accountId, request.params.id),
    );

    app.post(
      '/api/products/:id/file-versions',
      {
        config: { access: write, idempotent: 'resource' },
        schema: {
          operationId: 'createFileVersion',
          tags: ['products'],
          summary: 'Keep the files that a product has now, under a version',
          description:
            'Change the product’s files first, then name them. Versions that are kept hold their files: those cannot be deleted.',
          params: IdParams,
          body: CreateFileVersionBody,
          response: privateAnswers({ 201: FileVersionView }, 404, ...WRITE),
        },
      },
      async (request, reply) => {
        const { params, body, resourceId } = request;
        return reply.code(201).send(await versions.record(callerOf(request).accountId, params.id, resourceId, body));
      },
    );

    app.post(
      '/api/file-versions/:id/current',
      {
        config: { access: write },
        schema: {
          operationId: 'setCurrentFileVersion',
          tags: ['products'],
          summary: 'Give customers the files of a version',
          description: 'Replaces the product’s files. A version that is current already changes nothing.',
          params: IdParams,
          response: privateAnswers({ 200: FileVersionView }, 404, ...WRITE),
        },
      },
      async (request) => versions.use(callerOf(request).accountId, request.params.id),
    );

    app.post(
      '/api/file-versions/:id/announce',
      {
        config: { access: { ...write, verified: true }, idempotent: 'answer' },
        schema: {
          operationId: 'announceFileVersion',
          tags: ['products'],
          summary: 'Email a product’s owners about the version that they get now',
          description:
            'Once for a version, and at most once a day for a product. Each email has a link by which its reader stops them. They go out in the background, after emails that somebody waits for; making another version current, or deleting this one, stops those that are left.',
          params: IdParams,
          body: AnnounceVersionBody,
          response: privateAnswers({ 200: AnnouncedVersion }, 404, ...WRITE),
        },
      },
      async (request) => versions.announce(callerOf(request), request.params.id, request.body),
    );

    app.delete(
      '/api/file-versions/:id',
      {
        config: { access: write },
        schema: {
          operationId: 'deleteFileVersion',
          tags: ['products'],
          summary: 'Forget a version of a product’s files',
          description: 'What customers get now stays. Files that no version and no product has can then be deleted.',
          params: IdParams,
          response: privateAnswers({ 200: Ok }, 404),
        },
      },
      async (request) => {
        await versions.delete(callerOf(request).accountId, request.params.id);
        return { ok: true as const };
      },
    );
  };
}
