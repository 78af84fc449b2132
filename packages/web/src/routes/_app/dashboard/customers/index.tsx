import { createFileRoute } from '@tanstack/react-router';
import { CustomersHub } from '#features/customers/customers-hub.tsx';
import { customerSearch } from '#features/customers/list-filters.ts';
import { useListPlace } from '#lib/lists/list-place.ts';
import { searchSchema } from '#lib/navigation/search-params.ts';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/dashboard/customers/')({
  ...searchSchema(customerSearch),
  beforeLoad: requireDeveloper,
  // the first steps are above the list, so they load before it; without an answer, only the list is shown
  loader: async ({ context }) => {
    const { firstStepsQuery } = await import('#lib/queries/account.ts');
    await context.queryClient.ensureQueryData(firstStepsQuery).catch(() => undefined);
  },
  component: () => <CustomersHub place={useListPlace(Route)} />,
});
