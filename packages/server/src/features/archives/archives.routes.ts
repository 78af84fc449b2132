import { z } from 'zod';
import { sendRanged } from '#features/files';
import { callerOf } from '#platform/access/guard.ts';
import type { App } from '#platform/http/app-kit.ts';
import { answers, IdParams, Ok, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import { AccountArchiveView, CreateArchiveBody } from './archives.schemas.ts';
import type { Archives } from './archives.service.ts';

const access = { as: 'session', role: 'developer' } as const;

export function archiveRoutes(archives: Archives) {
  return async (app: App): Promise<void> => {
    app.post(
      '/api/account/archives',
      {
        config: { access, idempotent: 'resource' },
        schema: {
          operationId: 'createAccountArchive',
          tags: ['account'],
          summary: 'Have everything of the account put into one archive',
          description:
            'Every table as JSON Lines and CSV with counts and SHA-256, files and images, and the signing keys, sealed with the passphrase by the age format. It is made in the background, one at a time, and deleted after seven days. `tonerow-server account restore` makes the account again from it on another server.',
          body: CreateArchiveBody,
          response: privateAnswers({ 202: AccountArchiveView }, ...WRITE),
        },
      },
      async (request, reply) =>
        reply.code(202).send(await archives.create(callerOf(request), request.resourceId, request.body)),
    );

    app.get(
      '/api/account/archives',
      {
        config: { access },
        schema: {
          operationId: 'listAccountArchives',
          tags: ['account'],
          summary: 'List the archives of the account, newest first',
          response: privateAnswers({
            200: z.object({ archives: z.array(AccountArchiveView).describe('The newest first.') }),
          }),
        },
      },
      async (request) => archives.list(callerOf(request).accountId),
    );

    app.get(
      '/api/account/archives/:id',
      {
        config: { access },
        schema: {
          operationId: 'getAccountArchive',
          tags: ['account'],
          summary: 'See how far an archive is',
          params: IdParams,
          response: privateAnswers({ 200: AccountArchiveView }, 404),
        },
      },
      async (request) => archives.get(callerOf(request).accountId, request.params.id),
    );

    app.get(
      '/api/account/archives/:id/download',
      {
        config: { access },
        schema: {
          operationId: 'downloadAccountArchive',
          tags: ['account'],
          summary: 'Redirect to an archive',
          description: 'The URL is valid for an hour, needs no credential and answers ranges.',
          params: IdParams,
          response: privateAnswers({ 302: z.null().describe('Redirect to the file') }, 404, 409),
        },
      },
      async (request, reply) => {
        const url = await archives.link(callerOf(request).accountId, request.params.id);
        return reply.header('referrer-policy', 'no-referrer').redirect(url);
      },
    );

    app.delete(
      '/api/account/archives/:id',
      {
        config: { access },
        schema: {
          operationId: 'deleteAccountArchive',
          tags: ['account'],
          summary: 'Delete an archive, or stop making it',
          params: IdParams,
          response: privateAnswers({ 200: Ok }, 404),
        },
      },
      async (request) => {
        await archives.delete(callerOf(request).accountId, request.params.id);
        return { ok: true as const };
      },
    );

    app.route({
      method: ['GET', 'HEAD'],
      url: '/media/archives/:token/:name',
      exposeHeadRoute: false,
      config: { access: { as: 'public' }, stream: 'file' },
      schema: {
        hide: true,
        params: z.object({ token: z.string(), name: z.string() }),
        response: answers({ 200: z.any(), 206: z.any(), 304: z.any(), 416: z.any() }, 401, 403, 404),
      },
      handler: async (request, reply) => {
        const file = await archives.open(request.params.token);
        return sendRanged(file, (range) => archives.read(file, range), request, reply);
      },
    });
  };
}
