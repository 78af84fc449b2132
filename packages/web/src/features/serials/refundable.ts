import type { SerialDetail } from '#lib/types.ts';

/** The fields of a serial that a dialog about its money needs. */
export type Refundable = Pick<
  SerialDetail,
  'id' | 'code' | 'revoked' | 'final_price' | 'refundable' | 'refunded' | 'reseller_name'
>;

/** Whether revoking or reassigning a serial is to ask about its money. */
export const asksAboutMoney = ({ revoked, refunded, refundable }: Refundable) =>
  revoked ? refunded > 0 : refundable > 0;
