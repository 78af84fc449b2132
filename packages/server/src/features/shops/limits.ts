import { rateLimitPolicies } from '#platform/http/limits/rate-limits.ts';

export const limits = rateLimitPolicies({
  /** Deliveries of shops, which send from few addresses. */
  shop_deliveries: { points: 6000, seconds: 60, shared: false },
  /** Shops made or changed by one account. */
  shop_changes: { points: 120, seconds: 60 * 60, shared: true },
  /** Emails with the codes of one order that somebody has sent again. */
  shop_resends: { points: 5, seconds: 60 * 60, shared: true },
  /** Sales that one account records by calls. */
  shop_sales: { points: 600, seconds: 60, shared: false },
  /** Customers who look for an order, by where they are. */
  order_links: { points: 20, seconds: 60 * 60, shared: true },
  /** The same by developer and the address that was entered. */
  order_links_address: { points: 5, seconds: 30 * 60, shared: true },
  order_links_opened: { points: 60, seconds: 10 * 60, shared: true },
});
