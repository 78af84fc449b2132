import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';

/** Frees the seat of one machine and refreshes the screens that show it. */
export function useRelease(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api.releaseSerialMachine({ path: { id } }),
    onSuccess: () => void refreshAfter(queryClient, 'machineReleased'),
  });
}
