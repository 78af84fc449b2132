import type { ListFilter } from '#ui/lists/filter-bar.tsx';

const kinds = ['status', 'product', 'reseller', 'batch'] as const;
type Kind = (typeof kinds)[number];

/** Of stock and batches, as in the URL: search and days, and of each kind what is chosen (`a,-b`). */
export interface StockFilter extends ListFilter, Partial<Record<Kind, string | undefined>> {}

export const unchosen = Object.fromEntries(kinds.map((kind) => [kind, undefined])) as Record<Kind, undefined>;
export const hasChosen = (filter: StockFilter) => kinds.some((kind) => filter[kind]);

/** As the server takes it. */
export function stockQuery({ search, dateRange, ...chosen }: StockFilter) {
  const set = Object.fromEntries(kinds.flatMap((kind) => (chosen[kind] ? [[kind, chosen[kind]]] : [])));
  return { dateRange, ...(search ? { search } : {}), ...(set as Partial<Record<Kind, string>>) };
}

/** The same of a list that shows what is available, unless states are chosen. */
export const listQuery = (filter: StockFilter) => ({
  ...stockQuery(filter),
  ...(filter.status ? {} : { state: 'available' as const }),
});
