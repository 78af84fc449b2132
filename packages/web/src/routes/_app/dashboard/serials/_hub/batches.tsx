import { createFileRoute } from '@tanstack/react-router';
import { Batches } from '#features/serials/batches/batches.tsx';
import { batchSearch } from '#features/serials/list-filters.ts';
import { useListPlace } from '#lib/lists/list-place.ts';
import { searchSchema } from '#lib/navigation/search-params.ts';

export const Route = createFileRoute('/_app/dashboard/serials/_hub/batches')({
  ...searchSchema(batchSearch),
  component: () => <Batches place={useListPlace(Route)} />,
});
