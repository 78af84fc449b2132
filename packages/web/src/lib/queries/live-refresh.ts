import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { LiveEvent } from '@tonerow/sdk';
import { withCount } from './counted.ts';
import { keys } from './keys.ts';

const LISTS = [
  keys.serials.all,
  keys.customers.all,
  keys.erasurePreviews,
  keys.analytics.all,
  keys.products.all,
  keys.me.usage,
  keys.billing.usage,
  keys.resellers.all,
  keys.circulation.all,
] as const;

type Data<Type extends LiveEvent['type']> = Extract<LiveEvent, { type: Type }>['data'];
type Stale = readonly QueryKey[] | 'everything';

/** Queries that are stale after a live event. */
const STALE_AFTER: { [Type in LiveEvent['type']]: (data: Data<Type>) => Stale } = {
  // the redeemed list shows a count of new rows, and loads them on a click
  redemption: () => [...LISTS, keys.firstSteps],
  refund: () => [
    keys.serials.all,
    keys.analytics.all,
    keys.customers.all,
    keys.resellers.all,
    keys.circulation.all,
    keys.payouts.all,
  ],
  import: ({ kind, state, dry_run }) => {
    if (dry_run || state === 'running') return [];
    return [...LISTS, keys.notifications.all, ...(kind === 'redeemed' ? [keys.redeemed.all] : [])];
  },
  low_serials: () => [keys.products.all, keys.notifications.all],
  usage: () => [keys.me.all, keys.billing.usage, keys.billing.status, keys.notifications.all],
  // the log of refusals loads its new rows itself
  license_refused: ({ serial_id }) => (serial_id ? [keys.serials.one(serial_id), keys.customers.ones] : []),
  invites: () => [keys.invites.all, keys.resellers.all, keys.partners.all, keys.catalog.all, keys.sales.dashboard],
  partnerships: () => [
    keys.resellers.all,
    keys.partners.all,
    keys.catalog.all,
    keys.selling.all,
    keys.dealRequests.all,
    keys.sales.dashboard,
  ],
  deals: () => [keys.dealRequests.all, keys.catalog.all, keys.selling.all, keys.partners.all, keys.sales.dashboard],
  sale: () => [keys.sales.all, keys.catalog.all, keys.draws.all, keys.selling.all, keys.partners.all],
  payout: () => [keys.payouts.all, keys.notifications.all],
  // to both partners
  stock: ({ change }) =>
    change === 'downloaded'
      ? [keys.circulation.all, keys.stockDownloads.all, keys.sales.dashboard]
      : [
          keys.draws.all,
          keys.catalog.all,
          keys.selling.all,
          keys.sales.dashboard,
          keys.partners.all,
          keys.resellers.all,
          keys.circulation.all,
          keys.serials.all,
          keys.products.all,
        ],
  billing: () => [
    keys.billing.card,
    keys.billing.status,
    keys.billing.usage,
    keys.billing.invoices,
    keys.me.all,
    keys.deletion,
    keys.notifications.all,
  ],
  card: () => [keys.billing.card, keys.billing.status, keys.notifications.all],
  webhook: () => [keys.webhooks.all],
  webhook_failing: () => [keys.webhooks.all, keys.notifications.all],
  // some events may have been missed
  resync: () => 'everything',
};

const FIGURES: readonly unknown[] = [keys.analytics.all[0], keys.sales.all[0], keys.billing.all[0]];

/** Milliseconds between two fetches of the same data while events keep coming. Figures cost the server more. */
const paceOf = (key: QueryKey) => (FIGURES.includes(key[0]) ? 5000 : 2000);

/** Refetches what live events made stale: at once for the first event, then at intervals. */
export class LiveRefresh {
  readonly #queryClient: QueryClient;
  /** By key: the timer since the last fetch, and whether another event came meanwhile. */
  readonly #resting = new Map<string, { timer: ReturnType<typeof setTimeout>; stale: boolean }>();

  constructor(queryClient: QueryClient) {
    this.#queryClient = queryClient;
  }

  after(event: LiveEvent): void {
    // a newer server knows events that this page does not
    const stale = (STALE_AFTER[event.type] as ((data: LiveEvent['data']) => Stale) | undefined)?.(event.data) ?? [];
    if (stale === 'everything') this.#queryClient.invalidateQueries();
    else for (const key of withCount(stale)) this.#read(key);
  }

  #read(key: QueryKey): void {
    const name = key.join();
    const resting = this.#resting.get(name);
    if (resting) {
      resting.stale = true;
      return;
    }
    this.#queryClient.invalidateQueries({ queryKey: key });
    const timer = setTimeout(() => {
      const again = this.#resting.get(name)?.stale;
      this.#resting.delete(name);
      if (again) this.#read(key);
    }, paceOf(key));
    this.#resting.set(name, { timer, stale: false });
  }

  stop(): void {
    for (const { timer } of this.#resting.values()) clearTimeout(timer);
    this.#resting.clear();
  }
}
