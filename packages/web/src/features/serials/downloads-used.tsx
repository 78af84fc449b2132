import { useMutation, useQueryClient } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { api } from '../../lib/api.ts';
import { formatMoney } from '../../lib/format.ts';
import { refreshAfter } from '../../lib/queries/refresh.ts';
import { IconButton } from '../../ui/button.tsx';
import { cn } from '../../ui/cn.ts';
import { notify } from '../../ui/toast.ts';
import { noteChange } from './serial-cache.ts';

const allowed = 5;

interface DownloadsUsedProps {
  serial: { id: string; code: string; download_count: number };
  className?: string;
}

/** `3/5 downloads`, and the button that resets them. */
export function DownloadsUsed({ serial, className }: DownloadsUsedProps) {
  const queryClient = useQueryClient();
  const refresh = useMutation({
    mutationFn: () => api.refreshSerial({ path: { id: serial.id } }),
    onSuccess: (answer) => {
      noteChange(queryClient, [serial.id], { download_count: answer.download_count });
      if (answer.refresh_cost > 0) refreshAfter(queryClient, 'refreshCharged');
      notify.success(
        answer.refresh_cost > 0
          ? `Downloads reset to 0. This cost ${formatMoney(answer.refresh_cost)}.`
          : 'Downloads reset to 0.',
      );
    },
    onError: (error) => notify.error('Error refreshing the download count.', error),
  });
  return (
    <span className={cn('inline-flex items-center gap-0.5', className)}>
      <span
        className={cn(
          'figures text-sm whitespace-nowrap',
          serial.download_count >= allowed ? 'text-warn' : 'text-muted',
        )}
      >
        {serial.download_count}/{allowed} downloads
      </span>
      <IconButton
        label={`Refresh the downloads of ${serial.code}`}
        onClick={() => refresh.mutate()}
        disabled={refresh.isPending || serial.download_count === 0}
        aria-busy={refresh.isPending || undefined}
        className="size-6"
      >
        <RotateCcw className={cn('size-3.5!', refresh.isPending && 'animate-spin')} aria-hidden />
      </IconButton>
    </span>
  );
}
