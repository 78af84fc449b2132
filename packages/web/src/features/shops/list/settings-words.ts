import type { Shop } from '#lib/types.ts';

export const onRefundWords: Record<Shop['on_refund'], string> = {
  ask: 'Ask me',
  revoke: 'Revoke',
  keep: 'Let the customer keep it',
};
export const onDisputeWords: Record<Shop['on_dispute'], string> = {
  suspend: 'Lock until it is decided',
  revoke: 'Revoke',
};
export const onDuplicateWords: Record<Shop['on_duplicate'], string> = {
  warn: 'Issue it, and warn me',
  hold: 'Wait until I decide',
  ignore: 'An order like any other',
};
export const deliveryWords: Record<Shop['delivery'], string> = {
  us: 'By our email',
  shop: 'By the shop',
};
/** How a shop that can give the codes itself does that. */
export const shopGives: Partial<Record<Shop['kind'], string>> = {
  fastspring: 'We send nothing. FastSpring asks for the codes by its license call, and shows them.',
  woocommerce:
    'In a customer note of the order, which WooCommerce emails. Its API key needs the permission “Read/Write”; where no note can be written, we email the codes.',
  stripe:
    'We send nothing by ourselves. Customers follow the address for the success page, and have their codes emailed.',
  lemonsqueezy:
    'We send nothing by ourselves. Customers follow the address for the success page, and have their codes emailed.',
  other: 'We send nothing. Your program reads the codes here and gives them out.',
};
export const modeWords: Record<Shop['mode'], string> = {
  live: 'Live: for customers',
  test: 'Test: to try it',
};
