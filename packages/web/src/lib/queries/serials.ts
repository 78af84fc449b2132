import { queryOptions } from '@tanstack/react-query';
import { api } from '../api.ts';
import { keys } from './keys.ts';

/** One serial with its owner, machines, refunds and history. */
export const serialQuery = (id: string) =>
  queryOptions({
    queryKey: keys.serials.one(id),
    queryFn: ({ signal }) => api.getSerial({ path: { id } }, { signal }),
  });
