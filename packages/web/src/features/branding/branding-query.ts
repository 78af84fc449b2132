import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { meQuery } from '../../lib/queries.ts';

export const brandingQuery = queryOptions({
  queryKey: ['branding'],
  queryFn: ({ signal }) => api.getPrivateBranding(undefined, { signal }),
  // The settings change some of the same fields.
  refetchOnMount: 'always',
});

export type Branding = Awaited<ReturnType<typeof api.getPrivateBranding>>;

export function keepBranding(queryClient: QueryClient, branding: Branding) {
  queryClient.setQueryData(brandingQuery.queryKey, branding);
  queryClient.invalidateQueries({ queryKey: ['account-settings'] });
  queryClient.invalidateQueries({ queryKey: meQuery.queryKey, exact: true });
}
