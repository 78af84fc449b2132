/** Beside the screen and not in it: the route needs them before the screen is loaded. */
export const transactionTabs = ['customers', 'transactions', 'payouts'] as const;
export type TransactionTab = (typeof transactionTabs)[number];
