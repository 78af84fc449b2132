import { callerOf } from '#platform/access/guard.ts';
import { abortSignal, asFile, jsonOrCsv, orCsv } from '#platform/http/answers/negotiate.ts';
import type { App } from '#platform/http/app-kit.ts';
import { privateAnswers } from '#platform/http/schemas.ts';
import { ApiRequestsPage, ApiRequestsQuery } from './requests.schemas.ts';
import type { ApiRequests } from './requests.service.ts';

export function apiRequestRoutes(requests: ApiRequests) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/request-log',
      {
        config: { access: { as: 'user', scope: 'account:read' }, stream: 'rows' },
        schema: {
          operationId: 'listApiRequests',
          tags: ['account'],
          summary: 'List requests made with your access tokens and plugin keys, newest first',
          description:
            'Of the last seven days, at most the newest 10,000, a second late. Up to 120 a minute with access tokens, and 10 that plugins ' +
            'were answered and 10 that they were refused, have a line of their own; the last one counts the rest of its minute in ' +
            '`omitted`. Nothing of a request’s body or query is kept. `Accept: text/csv` streams all that match the filter.',
          querystring: ApiRequestsQuery,
          response: privateAnswers({ 200: orCsv(ApiRequestsPage, 'The log') }, 406),
        },
      },
      async (request, reply) => {
        const form = jsonOrCsv(request);
        const caller = callerOf(request);
        if (form === 'json') return requests.list(caller, request.query);
        return asFile(reply, 'csv', 'requests').send(await requests.export(caller, request.query, abortSignal(reply)));
      },
    );
  };
}
