import type { ShopOrder } from '#lib/types.ts';

type Reason = ShopOrder['reasons'][number]['reason'];

/** Reasons that are settled by a look, if nothing else has to be done about them. */
const LOOKED_AT: ReadonlySet<Reason> = new Set(['amount_refund', 'inquiry', 'canceled', 'edited_down', 'no_email']);

/** The question of an order: whether a refunded serial is kept, or only to be looked at; null: no click answers it. */
export function questionOf({ reasons }: Pick<ShopOrder, 'reasons'>): 'refund' | 'duplicate' | 'look' | null {
  if (reasons.some(({ reason }) => reason === 'refund_asks')) return 'refund';
  if (reasons.some(({ reason }) => reason === 'duplicate')) return 'duplicate';
  return reasons.some(({ reason }) => LOOKED_AT.has(reason)) ? 'look' : null;
}

/** Whether there is a code that works, and somebody to send it to. */
export const canEmail = ({ email, lines }: Pick<ShopOrder, 'email' | 'lines'>): boolean =>
  email !== null &&
  lines.some(({ units }) =>
    units.some(({ code, state }) => code !== null && (state === 'issued' || state === 'delivered' || state === 'kept')),
  );
