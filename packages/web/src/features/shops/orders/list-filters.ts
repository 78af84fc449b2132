import { days, page, type SearchOf, searched, text } from '#lib/navigation/search-params.ts';

// Beside the screens and not in them: the route needs them before a screen is loaded. Of each kind what is chosen is `a,b`, or `-a` for
// all but it.
export const orderFilters = { search: searched, dateRange: days, state: text, shop: text };
export type OrderFilter = SearchOf<typeof orderFilters>;
export const orderSearch = { ...orderFilters, page, cursor: text };
