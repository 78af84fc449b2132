import { jobKind } from '#platform/jobs/job.ts';

/** Work on one order: whatever is known of it by then. */
export interface OrderWork {
  accountId: string;
  shopId: string;
  /** The shop's id of it. */
  orderKey: string;
  /** One of many: those of other accounts go first. */
  bulk?: true;
}

export const orderJob = jobKind<OrderWork>({
  name: 'shop-order',
  retryLimit: 20,
  retryDelay: 5,
  retryDelayMax: 3600,
  expireInSeconds: 300,
  deleteAfterSeconds: 3600,
  isTakenOver: true,
  isEmail: true,
});

/** Has the shop write the codes of an order to its customer. Tried for longer than the shop is waited for. */
export const noteJob = jobKind<Omit<OrderWork, 'bulk'>>({
  name: 'shop-note',
  retryLimit: 30,
  retryDelay: 5,
  retryDelayMax: 120,
  expireInSeconds: 300,
  deleteAfterSeconds: 3600,
  isEmail: true,
});

/** So many that are due are worked on together. */
export const ORDERS_AT_ONCE = 50;

/** Looks at the orders of a shop again that wait for something, such as what one of their lines is. */
export const waitingJob = jobKind<{ accountId: string; shopId: string }>({
  name: 'shop-waiting',
  retryLimit: 12,
  retryDelay: 10,
  expireInSeconds: 900,
});

/** Looks for serials that orders wait for, and that have come since. */
export const refillJob = jobKind({
  name: 'shop-refill',
  retryLimit: 0,
  retryDelay: 1,
  expireInSeconds: 300,
  cron: '* * * * *',
});

/** Compares a shop's own list with what is here of it. */
export const reconcileJob = jobKind<{ accountId: string; shopId: string }>({
  name: 'shop-reconcile',
  retryLimit: 3,
  retryDelay: 60,
  expireInSeconds: 900,
});

/** Finds the shops whose list is to be compared now. */
export const reconcileAllJob = jobKind({
  name: 'shop-reconcile-all',
  retryLimit: 0,
  retryDelay: 1,
  expireInSeconds: 600,
  cron: '*/15 * * * *',
});

/** Ends what a shop sends here because it was asked to, by keys that are no longer its own. What fails is due again later. */
export const farewellJob = jobKind<{ accountId: string; shopId: string }>({
  name: 'shop-farewell',
  retryLimit: 5,
  retryDelay: 60,
  expireInSeconds: 120,
});

/** Finds those that are due again. */
export const farewellsJob = jobKind({
  name: 'shop-farewells',
  retryLimit: 0,
  retryDelay: 1,
  expireInSeconds: 300,
  cron: '*/5 * * * *',
});

/** Finds those that have gone silent, and have no list that is compared. */
export const silentShopsJob = jobKind({
  name: 'shop-silent',
  retryLimit: 2,
  retryDelay: 300,
  expireInSeconds: 900,
  cron: '50 6 * * *',
});

/** Reads what other currencies are worth in dollars. */
export const ratesJob = jobKind({
  name: 'shop-rates',
  retryLimit: 8,
  retryDelay: 60,
  retryDelayMax: 3600,
  expireInSeconds: 120,
  cron: '35 16 * * *',
  atStart: true,
});
