import { callerOf } from '#platform/access/guard.ts';
import type { App } from '#platform/http/app-kit.ts';
import { IdParams, Ok, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import * as s from './views.schemas.ts';
import type { SavedViews } from './views.service.ts';

const read = { as: 'user', scope: 'account:read' } as const;
const write = { as: 'user', scope: 'account:write' } as const;

export function viewRoutes(views: SavedViews) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/views',
      {
        config: { access: read },
        schema: {
          operationId: 'listViews',
          tags: ['account'],
          summary: 'List your views of lists',
          description: 'A view is a filter, an order and the columns of a list under a name.',
          querystring: s.ViewsQuery,
          response: privateAnswers({ 200: s.Views }),
        },
      },
      async (request) => views.list(callerOf(request), request.query.list),
    );

    app.post(
      '/api/views',
      {
        config: { access: write, idempotent: 'resource' },
        schema: {
          operationId: 'createView',
          tags: ['account'],
          summary: 'Save a view of a list',
          body: s.CreateViewBody,
          response: privateAnswers({ 201: s.View }, ...WRITE),
        },
      },
      async (request, reply) =>
        reply.code(201).send(await views.create(callerOf(request), request.resourceId, request.body)),
    );

    app.patch(
      '/api/views/:id',
      {
        config: { access: write },
        schema: {
          operationId: 'changeView',
          tags: ['account'],
          summary: 'Rename a view, or save another filter, order or columns in it',
          params: IdParams,
          body: s.ChangeViewBody,
          response: privateAnswers({ 200: s.View }, 404, ...WRITE),
        },
      },
      async (request) => views.change(callerOf(request), request.params.id, request.body),
    );

    app.delete(
      '/api/views/:id',
      {
        config: { access: write },
        schema: {
          operationId: 'deleteView',
          tags: ['account'],
          summary: 'Delete a view',
          params: IdParams,
          response: privateAnswers({ 200: Ok }, 404),
        },
      },
      async (request) => {
        await views.remove(callerOf(request), request.params.id);
        return { ok: true as const };
      },
    );
  };
}
