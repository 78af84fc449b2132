import { createFileRoute } from '@tanstack/react-router';
import { RequestLog } from '#features/logs/request-log.tsx';
import { requestSearch } from '#features/logs/searches.ts';
import { searchSchema } from '#lib/navigation/search-params.ts';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/dashboard/settings/requests')({
  ...searchSchema(requestSearch),
  beforeLoad: requireDeveloper,
  component: RequestLog,
});
