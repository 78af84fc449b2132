import { createFileRoute } from '@tanstack/react-router';
import { Announcements } from '#features/admin/announcements.tsx';
import { pageParam, textParam } from '#lib/navigation/search-params.ts';

interface AnnouncementsSearch {
  page?: number | undefined;
  cursor?: string | undefined;
}

export const Route = createFileRoute('/_app/admin/announcements')({
  validateSearch: (search: Record<string, unknown>): AnnouncementsSearch => ({
    page: pageParam(search.page),
    cursor: textParam(search.cursor),
  }),
  component: AnnouncementsScreen,
});

function AnnouncementsScreen() {
  const { page = 1, cursor } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <Announcements
      place={{ page, cursor }}
      onPlace={(place) => navigate({ search: { page: place.page > 1 ? place.page : undefined, cursor: place.cursor } })}
    />
  );
}
