export const saleSorts = ['product', 'redemptions', 'revenue'] as const;
export type SaleSort = (typeof saleSorts)[number];

/** What the address says about this screen. */
export interface AnalyticsView {
  range: string;
  sort: SaleSort;
  descending: boolean;
  /** Customer locations of all time instead of the period. */
  everywhere: boolean;
  /** Whose machines, by the product's id; empty: all. */
  product: string;
}
