import { Button } from '../../ui/button.tsx';
import { cn } from '../../ui/cn.ts';
import { useResetDownloads, useResetWords } from '../../widgets/use-reset-downloads.ts';

const allowed = 5;

interface DownloadsUsedProps {
  serial: { id: string; code: string; download_count: number };
}

/** `3/5 downloads`, or `3/5` below a heading. */
export function DownloadCount({ count, short = false }: { count: number; short?: boolean }) {
  return (
    <span className={cn('figures text-sm whitespace-nowrap', count >= allowed ? 'text-warn' : 'text-muted')}>
      {count}/{allowed}
      {short ? null : ' downloads'}
    </span>
  );
}

/** `3/5 downloads`, and the button that resets them, with its price. */
export function DownloadsUsed({ serial }: DownloadsUsedProps) {
  const reset = useResetDownloads(serial.id);
  const words = useResetWords();
  return (
    <span className="inline-flex flex-wrap items-center justify-end gap-x-1">
      <DownloadCount count={serial.download_count} />
      {serial.download_count > 0 ? (
        <Button
          size="sm"
          variant="ghost"
          busy={reset.isPending}
          onClick={() => reset.mutate()}
          className="h-6 px-2"
          aria-label={`${words} of ${serial.code}`}
        >
          {words}
        </Button>
      ) : null}
    </span>
  );
}
