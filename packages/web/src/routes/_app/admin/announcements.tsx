import { createFileRoute } from '@tanstack/react-router';
import { Announcements } from '#features/admin/announcements.tsx';
import { page, searchSchema, text } from '#lib/navigation/search-params.ts';
import { useSearchState } from '#lib/navigation/use-search-state.ts';

export const Route = createFileRoute('/_app/admin/announcements')({
  ...searchSchema({ page, cursor: text }),
  component: AnnouncementsScreen,
});

function AnnouncementsScreen() {
  const [place, change] = useSearchState(Route);
  return <Announcements place={place} onPlace={(next) => change(next, { resetScroll: true })} />;
}
