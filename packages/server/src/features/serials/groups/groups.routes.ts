import { callerOf } from '#platform/access/guard.ts';
import { abortSignal, asFile, orStream, preferred } from '#platform/http/answers/negotiate.ts';
import type { App } from '#platform/http/app-kit.ts';
import { privateAnswers } from '#platform/http/schemas.ts';
import { SerialPage } from '../list/list.schemas.ts';
import { read, write } from '../serials-access.ts';
import * as s from './groups.schemas.ts';
import type { SerialGroups } from './groups.service.ts';

export function groupRoutes(groups: SerialGroups) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/serials/available',
      {
        config: { access: read },
        schema: {
          operationId: 'listAvailableSerials',
          tags: ['serials'],
          summary: 'Available serials, by product and by promo',
          querystring: s.AvailableQuery,
          response: privateAnswers({ 200: s.AvailableSerials }),
        },
      },
      async (request) => groups.available(callerOf(request), request.query),
    );

    app.get(
      '/api/serials/group/:groupName',
      {
        config: { access: read, stream: 'rows' },
        schema: {
          operationId: 'listSerialGroup',
          tags: ['serials'],
          summary: 'List the available serials of one group',
          description: '`Accept: text/csv` or `application/x-ndjson` streams all of them.',
          params: s.GroupParams,
          querystring: s.ListGroupQuery,
          response: privateAnswers({ 200: orStream(SerialPage, 'A page of the group') }, 404, 406, 422),
        },
      },
      async (request, reply) => {
        const form = preferred(request);
        const ref = { name: request.params.groupName, ...request.query };
        if (form === 'json') return groups.list(callerOf(request), ref, request.query);
        const rows = await groups.stream(callerOf(request), ref, form, abortSignal(reply));
        return asFile(reply, form, 'serials').send(rows);
      },
    );

    app.delete(
      '/api/serials/group/:groupName',
      {
        config: { access: write },
        schema: {
          operationId: 'deleteSerialGroup',
          tags: ['serials'],
          summary: 'Delete the available serials of a group',
          description: 'Redeemed and revoked serials are kept.',
          params: s.GroupParams,
          querystring: s.DeleteGroupQuery,
          response: privateAnswers({ 200: s.DeletedGroup }, 404, 422),
        },
      },
      async (request) => {
        const { dry_run } = request.query;
        const ref = { name: request.params.groupName, ...request.query };
        const count = await groups.delete(callerOf(request), ref, dry_run);
        const serials = count === 1 ? '1 serial' : `${count} serials`;
        return { message: dry_run ? `${serials} would be deleted.` : `${serials} deleted.`, count, dry_run };
      },
    );
  };
}
