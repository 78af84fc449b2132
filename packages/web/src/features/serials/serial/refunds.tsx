import { formatMoney } from '#lib/format/format.ts';
import type { SerialDetail } from '#lib/types.ts';
import { cn } from '#ui/cn.ts';
import { Panel } from '#ui/page.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';

type Refund = SerialDetail['refunds'][number];

const words: Record<Refund['kind'], string> = {
  refund: 'Refund',
  chargeback: 'Chargeback',
  reinstatement: 'Refund taken back',
  correction: 'Correction',
};

/** The changes to the money of a redemption, newest first. */
export function Refunds({ refunds }: { refunds: Refund[] }) {
  if (refunds.length === 0) return null;
  return (
    <section>
      <h2 className="mb-3 font-semibold">Refunds</h2>
      <Panel>
        <ul className="divide-y divide-line" aria-label="Refunds">
          {refunds.map((refund) => (
            <li key={refund.id} className="flex items-start justify-between gap-4 px-5 py-3.5">
              <div className="min-w-0">
                <p>
                  {words[refund.kind]} <TimeAgo iso={refund.created_at} className="ml-1 text-sm text-muted" />
                </p>
                <p className="text-sm wrap-anywhere text-muted">{refund.reason}</p>
              </div>
              <div className="shrink-0 text-right">
                <p className={cn('figures', refund.amount < 0 && 'text-bad')}>{formatMoney(refund.amount)}</p>
                {refund.commission === 0 ? null : (
                  <p className="figures text-xs text-muted">commission {formatMoney(refund.commission)}</p>
                )}
              </div>
            </li>
          ))}
        </ul>
      </Panel>
    </section>
  );
}
