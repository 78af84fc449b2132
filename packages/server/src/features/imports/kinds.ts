export const importKinds = ['available', 'redeemed', 'customers'] as const;
export type ImportKind = (typeof importKinds)[number];
