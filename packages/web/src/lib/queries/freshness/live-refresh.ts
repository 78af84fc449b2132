import { hashKey, type QueryClient } from '@tanstack/react-query';
import type { LiveEvent } from '@tonerow/sdk';
import { withCount } from './counted.ts';
import {
  analytics,
  billing,
  billingUsage,
  catalog,
  customerDetails,
  customers,
  dealRequests,
  developers,
  draws,
  imports,
  invites,
  invoices,
  keyOf,
  me,
  payouts,
  products,
  redeemed,
  resellers,
  type Stale,
  sales,
  selling,
  serialDetails,
  serials,
  shops,
  stockDownloads,
  webhooks,
} from './operations.ts';

const LISTS = [
  ...serials,
  ...customers,
  'eraseCustomer',
  ...analytics,
  ...products,
  'getMyUsage',
  ...billingUsage,
  ...resellers,
  'getResellerCirculation',
  'whatIfReseller',
] as const;

type Data<Type extends LiveEvent['type']> = Extract<LiveEvent, { type: Type }>['data'];
type Whole = readonly Stale[] | 'everything';

/** Queries that are stale after a live event. */
const STALE_AFTER: { [Type in LiveEvent['type']]: (data: Data<Type>) => Whole } = {
  // the redeemed list shows a count of new rows, and loads them on a click
  redemption: () => [...LISTS, 'getFirstSteps'],
  refund: () => [...serials, ...analytics, ...customers, ...resellers, 'getResellerCirculation', ...payouts],
  import: ({ kind, state, dry_run }) => {
    // how far it is shows the screen of the import itself
    if (state === 'checking' || state === 'running' || state === 'undoing') return ['listImports'];
    if (dry_run || state === 'open') return [...imports];
    return [...LISTS, ...imports, 'listNotifications', ...(kind === 'redeemed' ? [...redeemed] : [])];
  },
  low_serials: () => [...products, 'listNotifications'],
  usage: () => [...me, ...billingUsage, 'getSubscriptionStatus', 'listNotifications'],
  // the log of refusals loads its new rows itself
  license_refused: ({ serial_id }) =>
    serial_id ? [...serialDetails.map((id) => [id, { path: { id: serial_id } }] as const), ...customerDetails] : [],
  invites: () => [...invites, ...resellers, ...developers, ...catalog, 'getResellerDashboard'],
  partnerships: () => [...resellers, ...developers, ...catalog, ...selling, ...dealRequests, 'getResellerDashboard'],
  deals: () => [...dealRequests, ...catalog, ...selling, ...developers, 'getResellerDashboard'],
  sale: () => [...sales, ...catalog, ...draws, ...selling, ...developers],
  payout: () => [...payouts, 'listNotifications'],
  shop_order: () => [...shops],
  shop: () => [...shops, 'listNotifications'],
  // to both sides of the partnership
  stock: ({ change }) =>
    change === 'downloaded'
      ? ['getResellerCirculation', ...stockDownloads, 'getResellerDashboard']
      : [
          ...draws,
          ...catalog,
          ...selling,
          'getResellerDashboard',
          ...developers,
          ...resellers,
          'getResellerCirculation',
          ...serials,
          ...products,
        ],
  billing: () => [
    'getPaymentMethod',
    'getSubscriptionStatus',
    ...billingUsage,
    ...invoices,
    ...me,
    'getAccountDeletion',
    'listNotifications',
  ],
  card: () => ['getPaymentMethod', 'getSubscriptionStatus', 'listNotifications'],
  webhook: () => [...webhooks],
  webhook_failing: () => [...webhooks, 'listNotifications'],
  // some events may have been missed
  resync: () => 'everything',
};

const FIGURES: ReadonlySet<Stale> = new Set<Stale>([...analytics, ...sales, ...billing, 'whatIfReseller']);

/** Milliseconds between two fetches of the same data while events keep coming. Figures cost the server more. */
const paceOf = (stale: Stale) => (FIGURES.has(stale) ? 5000 : 2000);

/** Refetches what live events made stale: at once for the first event, then at intervals. */
export class LiveRefresh {
  readonly #queryClient: QueryClient;
  /** For each operation and input, the timer since the last fetch and whether another event came meanwhile. */
  readonly #resting = new Map<string, { timer: ReturnType<typeof setTimeout>; stale: boolean }>();

  constructor(queryClient: QueryClient) {
    this.#queryClient = queryClient;
  }

  after(event: LiveEvent): void {
    // a newer server knows events that this page does not
    const stale = (STALE_AFTER[event.type] as ((data: LiveEvent['data']) => Whole) | undefined)?.(event.data) ?? [];
    if (stale === 'everything') this.#queryClient.invalidateQueries();
    else for (const each of withCount(stale)) this.#read(each);
  }

  #read(stale: Stale): void {
    const name = keyOf(stale);
    const hash = hashKey(name);
    const resting = this.#resting.get(hash);
    if (resting) {
      resting.stale = true;
      return;
    }
    this.#queryClient.invalidateQueries({ queryKey: name });
    const timer = setTimeout(() => {
      const again = this.#resting.get(hash)?.stale;
      this.#resting.delete(hash);
      if (again) this.#read(stale);
    }, paceOf(stale));
    this.#resting.set(hash, { timer, stale: false });
  }

  stop(): void {
    for (const { timer } of this.#resting.values()) clearTimeout(timer);
    this.#resting.clear();
  }
}
