import type { QueryClient } from '@tanstack/react-query';

/** Reads all that is shown again. Apart from refresh.ts, whose operations are not in the first download. */
export const refreshAll = (queryClient: QueryClient) => queryClient.invalidateQueries();
