/** What the filter bar holds, as it stands in the address: `all`, `1w`, `2w`, `1m` or `YYYY-MM-DD_to_YYYY-MM-DD`. */
export interface SerialFilter {
  search: string;
  dateRange: string;
}

export const isFiltered = (filter: SerialFilter) => filter.search !== '' || filter.dateRange !== 'all';
export const noFilter: SerialFilter = { search: '', dateRange: 'all' };
