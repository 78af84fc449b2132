import { createFileRoute } from '@tanstack/react-router';
import { listCustomerEmailsKind, listCustomerEmailsState } from '@tonerow/sdk/values';
import { EmailLog } from '#features/logs/email-log.tsx';
import { oneOf, searched, searchSchema } from '#lib/navigation/search-params.ts';
import { useSearchState } from '#lib/navigation/use-search-state.ts';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/dashboard/customers/emails')({
  ...searchSchema({
    to: searched,
    kind: oneOf(listCustomerEmailsKind),
    state: oneOf(listCustomerEmailsState),
  }),
  beforeLoad: requireDeveloper,
  component: EmailsScreen,
});

function EmailsScreen() {
  const [filter, change] = useSearchState(Route);
  return <EmailLog filter={filter} onFilter={change} />;
}
