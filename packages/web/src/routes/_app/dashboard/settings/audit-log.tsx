import { createFileRoute } from '@tanstack/react-router';
import { AuditLog } from '#features/logs/audit-log.tsx';
import { auditSearch } from '#features/logs/searches.ts';
import { searchSchema } from '#lib/navigation/search-params.ts';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/dashboard/settings/audit-log')({
  ...searchSchema(auditSearch),
  beforeLoad: requireDeveloper,
  component: AuditLog,
});
