import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

export const keysQuery = queryOptions({
  queryKey: ['plugin-keys'],
  queryFn: async ({ signal }) => (await api.listPluginKeys(undefined, { signal })).keys,
});
