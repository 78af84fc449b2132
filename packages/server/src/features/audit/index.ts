import type { ApiResponse, Base } from '#platform/feature.ts';
import { auditRoutes } from './audit.routes.ts';
import { AuditLog } from './audit.service.ts';
import { apiRequestRoutes } from './requests/requests.routes.ts';
import { ApiRequests } from './requests/requests.service.ts';
import { tables } from './tables.ts';

export type { AuditAction } from './actions.ts';
export { recordAudit } from './record.ts';

export const audit = {
  entities: tables.entities,

  create(platform: Base) {
    const base = { ...platform, db: tables.of(platform.db) };
    const auditLog = new AuditLog(base);
    const apiRequests = new ApiRequests(base);
    return {
      api: { auditLog, apiRequests },
      routes: [auditRoutes(auditLog), apiRequestRoutes(apiRequests)],
      housekeeping: [() => auditLog.expire(), () => apiRequests.expire()],
      onResponse: (response: ApiResponse) => apiRequests.note(response),
      close: () => apiRequests.close(),
    };
  },
};
