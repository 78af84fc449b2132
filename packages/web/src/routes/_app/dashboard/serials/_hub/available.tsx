import { createFileRoute } from '@tanstack/react-router';
import { Stock } from '#features/serials/available/stock.tsx';
import { availableSearch } from '#features/serials/list-filters.ts';
import { useListPlace } from '#lib/lists/list-place.ts';
import { searchSchema } from '#lib/navigation/search-params.ts';

export const Route = createFileRoute('/_app/dashboard/serials/_hub/available')({
  ...searchSchema(availableSearch),
  component: AvailableScreen,
});

function AvailableScreen() {
  const {
    filter: { view, ...filter },
    ...place
  } = useListPlace(Route);
  return <Stock view={view} place={{ ...place, filter }} />;
}
