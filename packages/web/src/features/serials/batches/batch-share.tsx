import { formatCount } from '#lib/format/format.ts';
import type { Batch } from '#lib/types.ts';
import { cn } from '#ui/cn.ts';

type Counts = Pick<Batch, 'quantity' | 'open' | 'handed_out' | 'redeemed' | 'revoked' | 'at_least'>;

const looks = {
  redeemed: 'bg-accent',
  handed_out: 'bg-accent-line ring-1 ring-accent ring-inset',
  open: 'bg-accent-soft ring-1 ring-accent-line ring-inset',
  gone: 'bg-hover ring-1 ring-line-strong ring-inset',
};
type Part = keyof typeof looks;

/** Redeemed, handed out, open, and the rest: revoked or deleted before anybody redeemed it. */
function partsOf({ quantity, open, handed_out, redeemed, at_least }: Counts): [Part, number][] {
  const rest = Math.max(0, quantity - open - handed_out - redeemed);
  // the part of a large batch that was not counted is in the parts that are larger than their figures
  const larger = (['redeemed', 'handed_out', 'open'] as const).filter((part) => at_least.includes(part));
  const more = (part: (typeof larger)[number]) => (larger.includes(part) ? rest / larger.length : 0);
  return [
    ['redeemed', redeemed + more('redeemed')],
    ['handed_out', handed_out + more('handed_out')],
    ['open', open + more('open')],
    ['gone', larger.length > 0 ? 0 : rest],
  ];
}

/** How many there are in a state, with a + where a list has not counted all of them. */
export function inState(batch: Counts, state: Batch['at_least'][number]): string {
  return `${formatCount(batch[state])}${batch.at_least.includes(state) ? '+' : ''}`;
}

/** Assigns the twelve cells to the parts, rounded; a part that isn't empty gets at least one cell. */
function cellsOf(counts: number[], cells = 12): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return counts.map(() => 0);
  const shares = counts.map((count) => (count > 0 ? Math.max(1, Math.round((count / total) * cells)) : 0));
  const over = shares.reduce((sum, share) => sum + share, 0) - cells;
  const largest = shares.indexOf(Math.max(...shares));
  return shares.map((share, index) => (index === largest ? share - over : share));
}

/** A batch as a row of twelve cells: redeemed, handed out, open, revoked. */
export function BatchBar({ batch, className }: { batch: Counts; className?: string }) {
  const parts = partsOf(batch);
  const cells = cellsOf(parts.map(([, count]) => count)).flatMap((share, index) =>
    Array.from({ length: share }, () => parts[index]?.[0] ?? 'gone'),
  );
  return (
    <div className={cn('grid grid-cols-12 gap-1', className)} aria-hidden="true">
      {cells.map((part, index) => (
        <span key={index} className={cn('h-2.5 rounded-[3px]', looks[part])} />
      ))}
    </div>
  );
}

export function BatchShare({ batch }: { batch: Counts }) {
  const labels: Record<Part, string> = {
    redeemed: 'Redeemed',
    handed_out: 'Handed out',
    open: 'Open',
    gone: 'Revoked or deleted',
  };
  // most batches are never handed out one by one
  const parts = partsOf(batch).filter(([part, count]) => part !== 'handed_out' || count > 0);
  return (
    <div>
      <BatchBar batch={batch} className="[&>span]:h-5 [&>span]:rounded-sm" />
      <dl className="mt-5 grid grid-cols-[auto_1fr] gap-x-6 gap-y-3 sm:flex sm:flex-wrap sm:gap-x-12">
        {parts.map(([part, count]) => (
          <div key={part} className="col-span-2 grid grid-cols-subgrid items-baseline sm:flex sm:flex-col-reverse">
            <dt className="flex items-center gap-2 text-sm text-muted">
              <span className={cn('size-2.5 shrink-0 rounded-[3px]', looks[part])} aria-hidden />
              {labels[part]}
            </dt>
            <dd className="figures text-lg font-semibold tracking-[-0.02em]">
              {formatCount(count)}
              <span className="ml-1.5 text-sm font-normal tracking-normal text-muted">
                {percent(count, batch.quantity)}
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

const share = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 0 });
const percent = (count: number, of: number) => (of > 0 ? share.format(count / of) : '');
