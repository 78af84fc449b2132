import { isFiltered, type ListFilter, noFilter } from '#ui/lists/filter-bar.tsx';

const kinds = ['status', 'product', 'reseller', 'country'] as const;
type Kind = (typeof kinds)[number];

/** As in the URL: search and days, and of each kind what is chosen (`a,-b`). */
export interface CustomerFilter extends ListFilter, Partial<Record<Kind, string | undefined>> {
  /** The days in which a serial was redeemed. */
  redeemed: string;
}

export const nothing: CustomerFilter = {
  ...noFilter,
  redeemed: 'all',
  status: undefined,
  product: undefined,
  reseller: undefined,
  country: undefined,
};

/** Whether anything but the search and the days is chosen. */
export const hasChosen = (filter: CustomerFilter) =>
  filter.redeemed !== 'all' || kinds.some((kind) => filter[kind] !== undefined);
export const isNarrowed = (filter: CustomerFilter) => isFiltered(filter) || hasChosen(filter);

/** As the server takes it. */
export function filterQuery({ search, dateRange, redeemed, ...chosen }: CustomerFilter) {
  const set = Object.fromEntries(kinds.flatMap((kind) => (chosen[kind] ? [[kind, chosen[kind]]] : [])));
  return { dateRange, redeemed, ...(search ? { search } : {}), ...(set as Partial<Record<Kind, string>>) };
}
