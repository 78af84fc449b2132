import { callerOf } from '#platform/access/guard.ts';
import { abortSignal, asFile, orStream, preferred } from '#platform/http/answers/negotiate.ts';
import type { App } from '#platform/http/app-kit.ts';
import { privateAnswers } from '#platform/http/schemas.ts';
import { read } from '../serials-access.ts';
import * as s from './list.schemas.ts';
import type { SerialList } from './list.service.ts';

export function listRoutes(list: SerialList) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/serials',
      {
        config: { access: read, stream: 'rows' },
        schema: {
          operationId: 'listSerials',
          tags: ['serials'],
          summary: 'List serials, newest first',
          description: '`Accept: text/csv` or `application/x-ndjson` streams all that match the filter.',
          querystring: s.ListSerialsQuery,
          response: privateAnswers({ 200: orStream(s.SerialPage, 'A page of serials') }, 406),
        },
      },
      async (request, reply) => {
        const form = preferred(request);
        const caller = callerOf(request);
        if (form === 'json') return list.list(caller, request.query);
        const name = request.query.batch_id ? 'serial_batch_full' : 'serials';
        const rows = await list.export(caller, request.query, form, abortSignal(reply));
        return asFile(reply, form, name).send(rows);
      },
    );

    app.get(
      '/api/serials/choices',
      {
        config: { access: read },
        schema: {
          operationId: 'listSerialChoices',
          tags: ['serials'],
          summary: 'What serials can be filtered by, with counts',
          description: 'At most 100,000 are counted, of each batch as many; of what a search finds, 10,000.',
          querystring: s.SerialChoicesQuery,
          response: privateAnswers({ 200: s.SerialChoiceCounts }),
        },
      },
      async (request) => list.choices(callerOf(request), request.query),
    );
  };
}
