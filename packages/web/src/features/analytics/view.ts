export const saleSorts = ['product', 'redemptions', 'revenue'] as const;
export type SaleSort = (typeof saleSorts)[number];

/** This screen's state in the URL. */
export interface AnalyticsView {
  range: string;
  sort: SaleSort;
  descending: boolean;
  /** Customer locations of all time instead of the period. */
  everywhere: boolean;
  /** Whose machines, by the product's id; empty: all. */
  product: string;
}
