import { callerOf } from '#platform/access/guard.ts';
import type { App } from '#platform/http/app-kit.ts';
import { IdParams, privateAnswers } from '#platform/http/schemas.ts';
import { read } from '../serials-access.ts';
import * as s from './detail.schemas.ts';
import type { SerialDetails } from './detail.service.ts';

export function detailRoutes(details: SerialDetails) {
  return async (app: App): Promise<void> => {
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
      async (request) => details.get(callerOf(request), request.params.id),
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
      async (request) => details.history(callerOf(request), request.params.id, request.query),
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
      async (request) => details.machines(callerOf(request), request.params.id, request.query),
    );
  };
}
