import { RotateCcw } from 'lucide-react';
import { Button } from '#ui/button.tsx';
import { cn } from '#ui/cn.ts';
import { useResetDownloads, useResetPrice, useResetWords } from '#widgets/serials/use-reset-downloads.ts';

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

/** The same in a row of a list: `3/5`, and a small button with the price. */
export function DownloadsInRow({ serial }: DownloadsUsedProps) {
  const reset = useResetDownloads(serial.id);
  const words = useResetWords();
  const price = useResetPrice();
  const none = serial.download_count === 0;
  return (
    <span className="inline-flex items-center gap-1">
      <DownloadCount count={serial.download_count} short />
      <Button
        size="sm"
        variant="ghost"
        busy={reset.isPending}
        disabled={none}
        onClick={() => reset.mutate()}
        className="figures h-6! gap-1! px-1.5! text-xs!"
        aria-label={`${words} of ${serial.code}`}
        title={none ? 'No downloads used' : words}
      >
        <RotateCcw className="size-3.5" aria-hidden />
        {none ? null : price}
      </Button>
    </span>
  );
}
