import { formatChosen } from '#lib/format/format.ts';
import type { Batch } from '#lib/types.ts';
import { Badge } from '#ui/badge.tsx';

/** That nobody can redeem serials of this batch yet; nothing once it has begun. */
export function StartsBadge({ batch: { promo_start: at } }: { batch: Pick<Batch, 'promo_start'> }) {
  if (!at || Date.parse(at) <= Date.now()) return null;
  return (
    <Badge tone="warn" means="Until then, redemption is refused, and customers are told this date.">
      Starts {formatChosen(at, 'start')}
    </Badge>
  );
}
