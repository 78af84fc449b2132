import { createFileRoute } from '@tanstack/react-router';
import { Notifications } from '#features/logs/notifications.tsx';
import { notificationSearch } from '#features/logs/searches.ts';
import { searchSchema } from '#lib/navigation/search-params.ts';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/dashboard/notifications')({
  ...searchSchema(notificationSearch),
  beforeLoad: requireDeveloper,
  component: Notifications,
});
