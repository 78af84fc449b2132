import { formatCount, formatMoney, formatUtcMonth, plural, toCents, toDollars } from '#lib/format/format.ts';
import type { WhatIf } from '#lib/types.ts';
import { cn } from '#ui/cn.ts';

interface OutcomeProps {
  data: WhatIf;
  /** False: no other terms are chosen yet. */
  changed: boolean;
  stale: boolean;
}

const rows = [
  ['revenue', 'Revenue'],
  ['commission', 'Commission'],
  ['owed', 'Owed to you'],
] as const;

/** What was and what would have been, beside each other. */
export function Outcome({ data, changed, stale }: OutcomeProps) {
  const { actual, what_if: other } = data;
  const most = Math.max(actual.revenue, other.revenue);
  return (
    <div className={cn('transition-opacity', stale && 'opacity-60')} aria-busy={stale}>
      <div className="px-5 pt-5 pb-4 sm:px-6" aria-live="polite">
        <p className="figures text-lg font-semibold tracking-[-0.02em]">{verdict(data, changed)}</p>
        <p className="figures mt-1 text-sm text-muted">
          {plural(data.redemptions, 'sale')} since {formatUtcMonth(data.from)} (UTC), before refunds.{' '}
          {changed ? breakEven(data) : null}
        </p>
      </div>
      <div className="flex flex-col gap-3 px-5 pb-5 sm:px-6" aria-hidden>
        <Bar name="As it was" side={actual} most={most} />
        <Bar name="What if" side={other} most={most} accent />
        <p className="flex gap-4 text-xs text-muted">
          <span className="flex items-center gap-1.5">
            <span className="size-2.5 rounded-[3px] bg-[var(--chart-1)]" /> Owed to you
          </span>
          <span className="flex items-center gap-1.5">
            <span className="size-2.5 rounded-[3px] bg-[var(--chart-2)]" /> Commission
          </span>
        </p>
      </div>
      <div className="overflow-x-auto border-t border-line">
        <table className="w-full text-sm">
          <caption className="sr-only">Actual and compared terms</caption>
          <thead>
            <tr className="border-b border-line text-right text-xs text-muted">
              <td />
              {['As it was', 'What if', 'Difference'].map((name) => (
                <th key={name} scope="col" className="h-10 px-2 font-medium last:pr-5 sm:last:pr-6">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="figures divide-y divide-line">
            {rows.map(([key, name]) => (
              <tr key={key} className={cn('text-right', key === 'owed' && 'font-semibold')}>
                <th
                  scope="row"
                  className={cn('h-12 pl-5 text-left sm:pl-6', key === 'owed' ? 'font-semibold' : 'font-normal')}
                >
                  {name}
                </th>
                <td className="px-2">{formatMoney(actual[key])}</td>
                <td className="px-2">{formatMoney(other[key])}</td>
                <td className={cn('pr-5 pl-2 sm:pr-6', key === 'owed' ? toneOf(data.difference) : 'text-muted')}>
                  {signed(toDollars(toCents(other[key]) - toCents(actual[key])))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

const toneOf = (difference: number) => (difference > 0 ? 'text-good' : difference < 0 ? 'text-bad' : 'text-muted');
const signed = (dollars: number) => (dollars > 0 ? `+${formatMoney(dollars)}` : formatMoney(dollars));

function verdict({ difference }: WhatIf, changed: boolean) {
  if (!changed) return 'Enter another rate or price to compare.';
  if (difference === 0) return 'You would have been owed the same.';
  const amount = formatMoney(Math.abs(difference));
  return `You would have been owed ${amount} ${difference > 0 ? 'more' : 'less'}.`;
}

function breakEven({ break_even_redemptions: needed, redemptions, difference }: WhatIf) {
  if (difference === 0) return null;
  if (needed === null) return 'At these terms, no number of sales would earn the same.';
  return `It takes ${plural(needed, 'sale')} at these terms to bring the same as those ${formatCount(redemptions)}.`;
}

interface BarProps {
  name: string;
  side: WhatIf['actual'];
  /** The revenue that fills the width. */
  most: number;
  accent?: boolean;
}

function Bar({ name, side, most, accent = false }: BarProps) {
  const widthOf = (dollars: number) => `${most > 0 ? (100 * dollars) / most : 0}%`;
  return (
    <div>
      <p className={cn('mb-1.5 text-xs', accent ? 'font-medium text-text' : 'text-muted')}>{name}</p>
      <div className="flex h-7 gap-0.5 overflow-hidden rounded-md bg-sunken">
        <span className="bg-[var(--chart-1)] transition-[width]" style={{ width: widthOf(side.owed) }} />
        <span className="bg-[var(--chart-2)] transition-[width]" style={{ width: widthOf(side.commission) }} />
      </div>
    </div>
  );
}

export function OutcomeSkeleton() {
  return (
    <div role="status" className="p-5 sm:p-6">
      <span className="sr-only">Calculating</span>
      <span className="skeleton block h-6 w-72 max-w-full" />
      <span className="skeleton mt-3 block h-4 w-56 max-w-full" />
      <span className="skeleton mt-8 block h-7" />
      <span className="skeleton mt-9 block h-7 w-4/5" />
      <span className="skeleton mt-12 block h-36" />
    </div>
  );
}
