import { createFileRoute } from '@tanstack/react-router';
import { redeemedSearch } from '#features/serials/list-filters.ts';
import { Redeemed } from '#features/serials/redeemed/redeemed.tsx';
import { useListPlace } from '#lib/lists/list-place.ts';
import { searchSchema } from '#lib/navigation/search-params.ts';

export const Route = createFileRoute('/_app/dashboard/serials/_hub/')({
  ...searchSchema(redeemedSearch),
  component: () => <Redeemed place={useListPlace(Route)} />,
});
