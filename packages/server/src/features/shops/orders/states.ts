export const orderStates = [
  'seen',
  'pending',
  'paid',
  'issued',
  'attention',
  'canceled',
  'refunded',
  'disputed',
] as const;
export type OrderState = (typeof orderStates)[number];

export const unitStates = ['wanted', 'waiting', 'issued', 'delivered', 'suspended', 'revoked', 'kept'] as const;
export type UnitState = (typeof unitStates)[number];

export const reversalKinds = ['refund', 'chargeback', 'inquiry', 'reinstatement'] as const;
export type ReversalKind = (typeof reversalKinds)[number];

export const reversalStates = ['seen', 'applied', 'asked', 'undone'] as const;
export type ReversalState = (typeof reversalStates)[number];

/** Sentences for the reasons why somebody has to look at an order. */
export const reasonTexts = {
  unmapped: 'One of its lines is not mapped. Map it, and what waits is delivered.',
  out_of_stock: 'The batches that its serials come from have none left. They follow when there are some.',
  product_gone: 'One of its products is deleted or a draft, so nobody could redeem a serial of it.',
  too_many: 'It wants more than 5,000 serials. Map what it sells to fewer, or give them to the customer by hand.',
  no_email:
    'It came without an email address. Give the customer the order’s code, which they enter with an address of their own, or the codes themselves.',
  partner_paused: 'The partnership is paused, so no code can be drawn. The codes follow when it is resumed.',
  partner_redeemed:
    'It was taken back, and a code of it is redeemed. Only its developer can refund or revoke it: ask them.',
  buyer_unknown: 'The shop did not name who bought it.',
  refund_asks: 'A part was refunded whose serial is redeemed. Take it back, or let the customer keep it.',
  duplicate:
    'Another of your shops brought the same sale. If it is one sale, take this order back, and disconnect one of the two.',
  amount_refund: 'An amount was refunded that names nothing. Its serials stay, and what was paid for them is less.',
  inquiry: 'The bank asks about the payment. Nothing is disputed yet.',
  canceled: 'The shop canceled it after it was paid, and has not refunded it. Its serials stay until it does.',
  edited_down: 'The shop took something out of it that was paid for, and has not refunded it. The serials stay.',
  list_price: 'Nobody knows what it was worth in dollars, so its serials count at the list price.',
} as const;
export type Reason = keyof typeof reasonTexts;
export const reasonNames = Object.keys(reasonTexts) as [Reason, ...Reason[]];
