import { createFileRoute } from '@tanstack/react-router';
import { RequestLog, type StatusClass } from '#features/logs/request-log.tsx';
import { choiceParam, idParam, textParam } from '#lib/navigation/search-params.ts';
import { requireReseller } from '#lib/session/guards.ts';

interface RequestSearch {
  status?: StatusClass | undefined;
  credential?: string | undefined;
  path?: string | undefined;
}

export const Route = createFileRoute('/_app/reseller/requests')({
  validateSearch: (search: Record<string, unknown>): RequestSearch => ({
    status: choiceParam<StatusClass>(search.status, ['2xx', '3xx', '4xx', '5xx']),
    credential: idParam(search.credential),
    path: textParam(search.path),
  }),
  beforeLoad: requireReseller,
  component: RequestScreen,
});

function RequestScreen() {
  const { status, credential, path = '' } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <RequestLog
      reseller
      filter={{ status, credential, route: path }}
      onFilter={(next) =>
        navigate({
          search: { status: next.status, credential: next.credential, path: next.route || undefined },
          replace: true,
          resetScroll: false,
        })
      }
    />
  );
}
