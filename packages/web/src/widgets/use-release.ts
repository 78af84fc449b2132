import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../lib/api.ts';

/** Frees the seat of one machine; the screens that show it read again. */
export function useRelease(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api.releaseSerialMachine({ path: { id } }),
    onSuccess: () => {
      for (const queryKey of [['serials', 'one'], ['customers'], ['analytics', 'machines']]) {
        queryClient.invalidateQueries({ queryKey });
      }
    },
  });
}
