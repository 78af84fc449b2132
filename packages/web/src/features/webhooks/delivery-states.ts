/** Apart from their words, which only the screens need. */
export const deliveryStates = ['waiting', 'delivered', 'failed', 'skipped'] as const;
export type DeliveryState = (typeof deliveryStates)[number];
