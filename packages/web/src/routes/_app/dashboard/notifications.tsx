import { createFileRoute } from '@tanstack/react-router';
import { Notifications } from '#features/logs/notifications.tsx';
import { notificationSearch } from '#features/logs/searches.ts';
import { searchSchema } from '#lib/navigation/search-params.ts';
import { useSearchState } from '#lib/navigation/use-search-state.ts';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/dashboard/notifications')({
  ...searchSchema(notificationSearch),
  beforeLoad: requireDeveloper,
  component: NotificationsScreen,
});

function NotificationsScreen() {
  const [{ kind }, change] = useSearchState(Route);
  return <Notifications reseller={false} kind={kind} onKind={(next) => change({ kind: next })} />;
}
