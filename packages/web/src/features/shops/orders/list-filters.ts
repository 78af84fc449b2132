import { days, page, type SearchOf, searched, text } from '#lib/navigation/search-params.ts';

// The route needs the filters before the screen is loaded, so they are in a file beside the screens. The value of each
// filter is `a,b` for what is chosen, or `-a` for all but it.
export const orderFilters = { search: searched, dateRange: days, state: text, shop: text };
export type OrderFilter = SearchOf<typeof orderFilters>;
export const orderSearch = { ...orderFilters, page, cursor: text };
