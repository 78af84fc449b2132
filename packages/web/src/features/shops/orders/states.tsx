import type { ShopOrder, ShopOrderRow, ShopOrderState, ShopUnit } from '#lib/types.ts';
import { Badge, type BadgeTone } from '#ui/badge.tsx';

export const orderStateWords: Record<ShopOrderState, string> = {
  seen: 'Refund only',
  pending: 'Not paid',
  paid: 'Serials missing',
  issued: 'Delivered',
  attention: 'Needs attention',
  canceled: 'Canceled',
  refunded: 'Refunded',
  disputed: 'Disputed',
};

const tones: Record<ShopOrderState, BadgeTone> = {
  seen: 'plain',
  pending: 'plain',
  paid: 'warn',
  issued: 'good',
  attention: 'warn',
  canceled: 'plain',
  refunded: 'plain',
  disputed: 'bad',
};

const means: Record<ShopOrderState, string> = {
  seen: 'A refund of it came before the order itself. It waits for its order.',
  pending: 'The shop has not reported a payment yet.',
  paid: 'It is paid, and some of its serials are still missing.',
  issued: 'It has all of its serials.',
  attention: 'Somebody has to look at it.',
  canceled: 'The shop canceled it before it was paid.',
  refunded: 'All of it was refunded, and its serials were taken back.',
  disputed: 'The payment is disputed, and its serials are locked.',
};

/** A reason to look at the order is shown before the general meaning of its state. */
export const OrderBadge = ({ order: { state, reasons } }: { order: Pick<ShopOrderRow, 'state' | 'reasons'> }) => (
  <Badge tone={tones[state]} means={reasons[0]?.text ?? means[state]}>
    {orderStateWords[state]}
  </Badge>
);

export const unitStateWords: Record<ShopUnit['state'], string> = {
  wanted: 'Wanted',
  waiting: 'Waiting',
  issued: 'Issued',
  delivered: 'Delivered',
  suspended: 'Locked',
  revoked: 'Taken back',
  kept: 'Kept',
};

const unitTones: Record<ShopUnit['state'], BadgeTone> = {
  wanted: 'plain',
  waiting: 'warn',
  issued: 'accent',
  delivered: 'good',
  suspended: 'bad',
  revoked: 'plain',
  kept: 'plain',
};

const unitMeans: Record<ShopUnit['state'], string> = {
  wanted: 'It will get a serial in a moment.',
  waiting: 'There is no serial for it now. It gets one when there is.',
  issued: 'It has a serial that was not emailed to the customer.',
  delivered: 'Its code was emailed to the customer.',
  suspended: 'The payment is disputed. A won dispute unlocks the same code.',
  revoked: 'It was refunded, and its serial no longer works.',
  kept: 'It was refunded, and the customer keeps the serial.',
};

export const UnitBadge = ({ state }: Pick<ShopUnit, 'state'>) => (
  <Badge tone={unitTones[state]} means={unitMeans[state]}>
    {unitStateWords[state]}
  </Badge>
);

export const reversalWords: Record<ShopOrder['reversals'][number]['kind'], string> = {
  refund: 'Refund',
  chargeback: 'Dispute',
  inquiry: 'Inquiry of the bank',
  reinstatement: 'Won dispute',
};
