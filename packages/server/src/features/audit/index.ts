import type { Base } from '../../platform/feature.ts';
import { AuditEvent } from './audit.entity.ts';
import { auditRoutes } from './audit.routes.ts';
import { AuditLog } from './audit.service.ts';

export { recordAudit } from './record.ts';

export const audit = {
  entities: [AuditEvent],

  create(base: Base) {
    const auditLog = new AuditLog(base);
    return { api: { auditLog }, routes: [auditRoutes(auditLog)], housekeeping: [() => auditLog.expire()] };
  },
};
