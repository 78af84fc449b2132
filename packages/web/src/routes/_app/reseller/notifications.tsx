import { createFileRoute } from '@tanstack/react-router';
import { Notifications } from '#features/logs/notifications.tsx';
import { choiceParam } from '#lib/navigation/search-params.ts';
import { requireReseller } from '#lib/session/guards.ts';
import type { KeptNotice } from '#lib/types.ts';

interface NotificationsSearch {
  kind?: KeptNotice['kind'] | undefined;
}

export const Route = createFileRoute('/_app/reseller/notifications')({
  validateSearch: (search: Record<string, unknown>): NotificationsSearch => ({
    kind: choiceParam(search.kind, ['low_serials', 'import', 'usage', 'billing', 'card', 'webhook', 'payout']),
  }),
  beforeLoad: requireReseller,
  component: NotificationsScreen,
});

function NotificationsScreen() {
  const { kind } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <Notifications reseller kind={kind} onKind={(next) => navigate({ search: { kind: next }, resetScroll: false })} />
  );
}
