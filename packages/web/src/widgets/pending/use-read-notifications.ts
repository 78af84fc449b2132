import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';

/** Marks a notice and all older ones as read, under the bell and in the list. */
export function useReadNotifications() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (until: string) => api.readNotifications({ body: { until } }),
    onSuccess: () => refreshAfter(queryClient, 'noticesRead'),
    onError: async (error) => {
      const { notify } = await import('#ui/toast.ts');
      notify.error("They couldn't be marked as read.", error);
    },
  });
}
