import type { ListFilter } from '#ui/lists/filter-bar.tsx';

const kinds = ['status', 'product', 'reseller', 'batch', 'country', 'customer'] as const;
type Kind = (typeof kinds)[number];

/** As in the URL: search and dates, and of each kind what is chosen (`a,-b`). */
export interface RedeemedFilter extends ListFilter, Partial<Record<Kind, string | undefined>> {}

export const unchosen = Object.fromEntries(kinds.map((kind) => [kind, undefined])) as Record<Kind, undefined>;
export const hasChosen = (filter: RedeemedFilter) => kinds.some((kind) => filter[kind]);

/** As the server takes it. */
export function filterQuery({ search, dateRange, ...chosen }: RedeemedFilter) {
  const set = Object.fromEntries(kinds.flatMap((kind) => (chosen[kind] ? [[kind, chosen[kind]]] : [])));
  return { dateRange, ...(search ? { search } : {}), ...(set as Partial<Record<Kind, string>>) };
}
