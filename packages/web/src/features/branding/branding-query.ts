import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { keys } from '#lib/queries/keys.ts';
import { refreshAfter } from '#lib/queries/refresh.ts';

export const brandingQuery = queryOptions({
  queryKey: keys.branding,
  queryFn: ({ signal }) => api.getPrivateBranding(undefined, { signal }),
  // The settings change some of the same fields.
  refetchOnMount: 'always',
});

export type Branding = Awaited<ReturnType<typeof api.getPrivateBranding>>;

export function keepBranding(queryClient: QueryClient, branding: Branding) {
  queryClient.setQueryData(brandingQuery.queryKey, branding);
  refreshAfter(queryClient, 'brandingSaved');
}
