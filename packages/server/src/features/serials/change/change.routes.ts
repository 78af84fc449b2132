import { callerOf } from '#platform/access/guard.ts';
import type { App } from '#platform/http/app-kit.ts';
import { IdParams, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import { SerialView } from '../serials.schemas.ts';
import { naming, write } from '../serials-access.ts';
import * as s from './change.schemas.ts';
import type { SerialChanges } from './change.service.ts';

export function changeRoutes(changes: SerialChanges) {
  return async (app: App): Promise<void> => {
    app.patch(
      '/api/serials/revoke/:id',
      {
        config: { access: naming },
        schema: {
          operationId: 'revokeSerial',
          tags: ['serials'],
          summary: 'Revoke a serial',
          params: IdParams,
          response: privateAnswers({ 200: SerialView }, 404, ...WRITE),
        },
      },
      async (request) => changes.revoke(callerOf(request), request.params.id),
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
          response: privateAnswers({ 200: SerialView }, 404, ...WRITE),
        },
      },
      async (request) => changes.reassign(callerOf(request), request.params.id),
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
      async (request) => changes.refresh(callerOf(request), request.params.id),
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
      async (request) => changes.changeMatching(callerOf(request), request.body),
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
      async (request) => changes.bulk(callerOf(request), request.body),
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
      async (request) => changes.undoChange(callerOf(request), request.body),
    );
  };
}
