import { createFileRoute } from '@tanstack/react-router';
import { Notifications } from '#features/logs/notifications.tsx';
import { notificationSearch } from '#features/logs/searches.ts';
import { searchSchema } from '#lib/navigation/search-params.ts';
import { requireReseller } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/reseller/notifications')({
  ...searchSchema(notificationSearch),
  beforeLoad: requireReseller,
  component: Notifications,
});
