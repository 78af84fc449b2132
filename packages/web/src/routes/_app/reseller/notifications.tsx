import { createFileRoute } from '@tanstack/react-router';
import { Notifications } from '#features/logs/notifications.tsx';
import { notificationSearch } from '#features/logs/searches.ts';
import { searchSchema } from '#lib/navigation/search-params.ts';
import { useSearchState } from '#lib/navigation/use-search-state.ts';
import { requireReseller } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/reseller/notifications')({
  ...searchSchema(notificationSearch),
  beforeLoad: requireReseller,
  component: NotificationsScreen,
});

function NotificationsScreen() {
  const [{ kind }, change] = useSearchState(Route);
  return <Notifications reseller kind={kind} onKind={(next) => change({ kind: next })} />;
}
