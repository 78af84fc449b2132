import { createFileRoute } from '@tanstack/react-router';
import { type EmailFilter, EmailLog } from '#features/logs/email-log.tsx';
import { choiceParam, textParam } from '#lib/navigation/search-params.ts';
import { requireDeveloper } from '#lib/session/guards.ts';

interface EmailsSearch {
  to?: string | undefined;
  kind?: EmailFilter['kind'];
  state?: EmailFilter['state'];
}

export const Route = createFileRoute('/_app/dashboard/customers/emails')({
  validateSearch: (search: Record<string, unknown>): EmailsSearch => ({
    to: textParam(search.to),
    kind: choiceParam(search.kind, ['redemption', 'my_products', 'customer_changed', 'new_version', 'account_closed']),
    state: choiceParam(search.state, ['queued', 'sent', 'failed']),
  }),
  beforeLoad: requireDeveloper,
  component: EmailsScreen,
});

function EmailsScreen() {
  const { to = '', kind, state } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <EmailLog
      filter={{ to, kind, state }}
      onFilter={(next) =>
        navigate({ search: { to: next.to || undefined, kind: next.kind, state: next.state }, resetScroll: false })
      }
    />
  );
}
