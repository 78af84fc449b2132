import { country, id, oneOf, or, period, type SearchOf } from '#lib/navigation/search-params.ts';

export const saleSorts = ['product', 'redemptions', 'revenue'] as const;
export type SaleSort = (typeof saleSorts)[number];

export const seenDays = [7, 30, 90, 365] as const;
export type SeenDays = (typeof seenDays)[number];
export const defaultSeen: SeenDays = 30;

/** The filter of all figures on the screen. An empty field does not filter. */
export interface AnalyticsFilter {
  /** The product's id. */
  product: string;
  /** The reseller's id; `none`: own sales. */
  reseller: string;
  /** ISO 3166-1 alpha-2; `none`: unknown. */
  country: string;
}

/** The parts of the screen, one of which is shown. */
export const analyticsParts = ['sales', 'stock', 'plugins'] as const;
export type AnalyticsPart = (typeof analyticsParts)[number];

/** The parameters that the screen keeps in its address. */
export const analyticsSearch = {
  part: or(oneOf(analyticsParts), 'sales'),
  range: period,
  sort: or(oneOf(saleSorts), 'redemptions'),
  order: or(oneOf(['asc']), 'desc'),
  /** Locations of all time instead of the period. */
  locations: or(oneOf(['all']), 'period'),
  /** Activations that were seen within so many days. */
  seen: or(oneOf(seenDays), defaultSeen),
  product: or(id, ''),
  reseller: (value: unknown) => (value === 'none' ? 'none' : (id(value) ?? '')),
  country: or(country, ''),
};
export type AnalyticsView = SearchOf<typeof analyticsSearch>;

export const unfiltered: AnalyticsFilter = { product: '', reseller: '', country: '' };

export const isFiltered = ({ product, reseller, country }: AnalyticsFilter) => `${product}${reseller}${country}` !== '';
