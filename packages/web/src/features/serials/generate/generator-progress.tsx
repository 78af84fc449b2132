import { formatCount } from '#lib/format/format.ts';
import { cn } from '#ui/cn.ts';
import { rowOrder } from '#ui/mark-cells.ts';
import { Panel } from '#ui/page.tsx';

/** Fills the twelve cells in the order of the row while serials arrive. */
export function GeneratorProgress({ done, total }: { done: number; total: number }) {
  const share = total > 0 ? Math.min(1, done / total) : 0;
  return (
    <Panel className="flex flex-col items-center gap-8 px-6 py-16 text-center">
      <div
        className="grid grid-cols-4 gap-2"
        role="progressbar"
        aria-label="Serials generated"
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
        aria-valuetext={`${formatCount(done)} of ${formatCount(total)}`}
      >
        {rowOrder.map((turn) => (
          <span
            key={turn}
            className={cn(
              'size-9 rounded-md transition-colors duration-300',
              turn < share * 12 ? 'bg-accent' : 'bg-hover',
            )}
          />
        ))}
      </div>
      <div>
        <p className="figures font-mono text-xl font-medium">{formatCount(done)}</p>
        <p className="figures mt-1 text-muted">of {formatCount(total)} serials generated</p>
      </div>
      <p className="max-w-sm text-sm text-balance text-muted">
        Keep this page open. The file is offered for download when the last one has arrived.
      </p>
    </Panel>
  );
}
