import { createFileRoute } from '@tanstack/react-router';
import { type EmailState, Emails } from '#features/admin/emails.tsx';
import { choiceParam, pageParam, textParam } from '#lib/navigation/search-params.ts';

interface EmailsSearch {
  state?: EmailState | undefined;
  page?: number | undefined;
  cursor?: string | undefined;
}

export const Route = createFileRoute('/_app/admin/emails')({
  validateSearch: (search: Record<string, unknown>): EmailsSearch => ({
    state: choiceParam(search.state, ['queued', 'sent', 'failed']),
    page: pageParam(search.page),
    cursor: textParam(search.cursor),
  }),
  component: EmailsScreen,
});

function EmailsScreen() {
  const { state, page = 1, cursor } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <Emails
      state={state}
      place={{ page, cursor }}
      onPlace={(place) =>
        navigate({
          search: (before) => ({ ...before, page: place.page > 1 ? place.page : undefined, cursor: place.cursor }),
        })
      }
    />
  );
}
