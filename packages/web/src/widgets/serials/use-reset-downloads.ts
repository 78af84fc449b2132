import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { formatMoney, toDollars } from '#lib/format/format.ts';
import { planQuery } from '#lib/queries/account.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { noteChange } from '#lib/queries/freshness/serial-cache.ts';
import { notify } from '#ui/toast.ts';

/** Sets the download count of a serial back. This costs money on most plans. */
export function useResetDownloads(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api.refreshSerial({ path: { id } }),
    onSuccess: (answer) => {
      if (answer.refresh_cost > 0) refreshAfter(queryClient, 'refreshCharged');
      notify.success(
        answer.refresh_cost > 0
          ? `Downloads reset to 0. This cost ${formatMoney(answer.refresh_cost)}.`
          : 'Downloads reset to 0.',
      );
      return noteChange(queryClient, id, { download_count: answer.download_count });
    },
    onError: (error) => notify.error('Error refreshing the download count.', error),
  });
}

/** `$0.03`, what a reset costs; null where it is free, and until the plan is known. */
export function useResetPrice(): string | null {
  const plan = useQuery(planQuery);
  const cents = plan.data?.overage_cents ?? 0;
  return cents > 0 ? formatMoney(toDollars(cents)) : null;
}

/** `Reset downloads ($0.03)`: what costs something has its price on it. */
export function useResetWords(): string {
  const price = useResetPrice();
  return price ? `Reset downloads (${price})` : 'Reset downloads';
}
