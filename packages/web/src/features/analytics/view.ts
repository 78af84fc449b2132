export const saleSorts = ['product', 'redemptions', 'revenue'] as const;
export type SaleSort = (typeof saleSorts)[number];

export const seenDays = [7, 30, 90, 365] as const;
export type SeenDays = (typeof seenDays)[number];
export const defaultSeen: SeenDays = 30;

/** What all figures of the screen are about; empty: everything. */
export interface AnalyticsFilter {
  /** By its id. */
  product: string;
  /** By its id; `none`: own sales. */
  reseller: string;
  /** ISO 3166-1 alpha-2; `none`: unknown. */
  country: string;
}

/** The parts of the screen, one of which is shown. */
export const analyticsParts = ['sales', 'stock', 'plugins'] as const;
export type AnalyticsPart = (typeof analyticsParts)[number];

/** This screen's state in the URL. */
export interface AnalyticsView extends AnalyticsFilter {
  part: AnalyticsPart;
  range: string;
  sort: SaleSort;
  descending: boolean;
  /** Activations that were seen within so many days. */
  seen: SeenDays;
  /** Customer locations of all time instead of the period. */
  everywhere: boolean;
}

export const unfiltered: AnalyticsFilter = { product: '', reseller: '', country: '' };

export const isFiltered = ({ product, reseller, country }: AnalyticsFilter) => `${product}${reseller}${country}` !== '';

/** The parameters of the screen's address; what is as usual is left out. */
export interface AnalyticsSearch {
  part?: AnalyticsView['part'] | undefined;
  range?: string | undefined;
  sort?: AnalyticsView['sort'] | undefined;
  order?: 'asc' | undefined;
  locations?: 'all' | undefined;
  seen?: AnalyticsView['seen'] | undefined;
  product?: string | undefined;
  reseller?: string | undefined;
  country?: string | undefined;
}
