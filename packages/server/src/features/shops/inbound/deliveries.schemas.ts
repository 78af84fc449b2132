export const deliveryStates = ['received', 'done', 'ignored', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];
