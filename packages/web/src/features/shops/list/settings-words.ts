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
export const modeWords: Record<Shop['mode'], string> = {
  live: 'Live: for customers',
  test: 'Test: to try it',
};
