/** Files that change what all files of a worker share and cannot put it back: each runs in a process of its own. */
export const isolated: readonly string[] = [
  'packages/sdk/src/live.test.ts',
  'packages/server/src/platform/limits/fair-slots.test.ts',
  'packages/server/src/features/webhooks/delivery/deliverer.test.ts',
  'packages/server/src/features/webhooks/delivery/lease-table.test.ts',
  'packages/web/src/lib/queries/freshness/live-refresh.test.ts',
];

/** Files that measure time, or promise a limit by the clock: they run alone, after all others. */
export const quiet: readonly string[] = [
  'packages/server/src/features/licensing/calls/licensing.resilience.test.ts',
  'packages/server/src/features/redemption/my-products/my-products.routes.test.ts',
  'packages/server/src/platform/network/dns.test.ts',
  'packages/server/src/platform/egress/egress.test.ts',
  'test/resilience/deletions.test.ts',
  'test/resilience/lifeline.test.ts',
  'test/resilience/silent-database.test.ts',
];
