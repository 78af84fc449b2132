import { callerOf } from '#platform/access/guard.ts';
import { abortSignal, asFile, jsonOrCsv, orCsv } from '#platform/http/answers/negotiate.ts';
import type { App } from '#platform/http/app-kit.ts';
import { privateAnswers } from '#platform/http/schemas.ts';
import { AuditPage, AuditQuery } from './audit.schemas.ts';
import type { AuditLog } from './audit.service.ts';

export function auditRoutes(audit: AuditLog) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/audit-log',
      {
        config: { access: { as: 'user', scope: 'account:read' }, stream: 'rows' },
        schema: {
          operationId: 'listAuditLog',
          tags: ['account'],
          summary: 'List who did what in your account, newest first',
          description:
            'Sign-ins, credentials, profile changes, transfers, refunds, exports, bulk changes and deletions of the last year. `Accept: text/csv` streams all that match the filter.',
          querystring: AuditQuery,
          response: privateAnswers({ 200: orCsv(AuditPage, 'The log') }, 406),
        },
      },
      async (request, reply) => {
        const form = jsonOrCsv(request);
        const caller = callerOf(request);
        if (form === 'json') return audit.list(caller, request.query);
        return asFile(reply, 'csv', 'audit_log').send(await audit.export(caller, request.query, abortSignal(reply)));
      },
    );
  };
}
