import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { AnswerOf } from '@tonerow/sdk';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { q } from '#lib/queries/operation.ts';

export const brandingQuery = queryOptions({
  ...q('getPrivateBranding'),
  // The settings change some of the same fields.
  refetchOnMount: 'always',
});

export type Branding = AnswerOf<'getPrivateBranding'>;

export function keepBranding(queryClient: QueryClient, branding: Branding) {
  queryClient.setQueryData(brandingQuery.queryKey, branding);
  refreshAfter(queryClient, 'brandingSaved');
}
