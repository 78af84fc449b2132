import { createFileRoute } from '@tanstack/react-router';
import { AuditLog } from '#features/logs/audit-log.tsx';
import { rangeParam, textParam } from '#lib/navigation/search-params.ts';
import { requireReseller } from '#lib/session/guards.ts';
import type { AuditAction } from '#lib/types.ts';

interface AuditSearch {
  action?: AuditAction | undefined;
  dateRange?: string | undefined;
}

export const Route = createFileRoute('/_app/reseller/audit-log')({
  validateSearch: (search: Record<string, unknown>): AuditSearch => ({
    action: textParam(search.action) as AuditAction | undefined,
    dateRange: rangeParam(search.dateRange),
  }),
  beforeLoad: requireReseller,
  component: AuditScreen,
});

function AuditScreen() {
  const { action, dateRange = 'all' } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <AuditLog
      filter={{ action, dateRange }}
      onFilter={(next) =>
        navigate({
          search: { action: next.action, dateRange: next.dateRange === 'all' ? undefined : next.dateRange },
          resetScroll: false,
        })
      }
    />
  );
}
