import type { ListFilter } from '../../../ui/filter-bar.tsx';

export const kinds = ['status', 'product', 'reseller', 'batch', 'country'] as const;
type Kind = (typeof kinds)[number];

/** As in the URL: search and dates, and of each kind what is chosen (`a,-b`). */
export interface RedeemedFilter extends ListFilter, Partial<Record<Kind, string | undefined>> {}

export const unchosen: Record<Kind, undefined> = {
  status: undefined,
  product: undefined,
  reseller: undefined,
  batch: undefined,
  country: undefined,
};

/** As the server takes it. */
export function filterQuery({ search, dateRange, ...chosen }: RedeemedFilter) {
  const text = (value: string | undefined) => (value ? value : undefined);
  const set = Object.fromEntries(kinds.flatMap((kind) => (chosen[kind] ? [[kind, chosen[kind]]] : [])));
  return { dateRange, ...(text(search) ? { search } : {}), ...(set as Partial<Record<Kind, string>>) };
}
