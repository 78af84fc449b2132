import { WifiOff } from 'lucide-react';
import { formatMoney, plural } from '#lib/format/format.ts';
import type { Waiting } from '#lib/outbox.ts';
import { Button } from '#ui/button.tsx';
import { useOutbox } from '#widgets/sales/use-outbox.ts';

/** Sales that no answer has come to, while the next customer is served. */
export function WaitingSales({ waiting }: { waiting: readonly Waiting[] }) {
  const { tryNow } = useOutbox();
  if (waiting.length === 0) return null;
  return (
    <div role="status" className="flex flex-col gap-2 rounded-lg bg-warn-soft p-4 text-warn">
      <p className="flex items-center gap-2 font-semibold">
        <WifiOff className="size-4 shrink-0" aria-hidden />
        {plural(waiting.length, 'sale')} without an answer
      </p>
      <ul>
        {waiting.map(({ order }) => (
          <li key={order.reference} className="figures wrap-anywhere">
            {order.product_name} · {formatMoney(order.price)}
          </li>
        ))}
      </ul>
      <p className="text-sm">They are asked for again by themselves, and then appear in today’s list.</p>
      <Button onClick={tryNow} className="h-11 self-start">
        Try now
      </Button>
    </div>
  );
}
