import { type ScreenRoute, useSearchState } from '../navigation/use-search-state.ts';

/** The place of a list: its filter, its order and its page, and the functions that change them. */
export interface ListPlace<Filter> {
  filter: Filter;
  sort: string | undefined;
  page: number;
  /** Only where a list goes by cursors. */
  cursor: string | undefined;
  /** A view changes the order as well; an empty one is the usual order. */
  onFilter: (filter: Partial<Filter>, sort?: string) => void;
  onSort: (sort: string) => void;
  onPage: (page: number, cursor?: string) => void;
}

interface ListSearch {
  page: number;
  cursor?: string | undefined;
  sort?: string | undefined;
}

/** The place of a list that its screen keeps in the address: whatever is not the page or the order is the filter. */
export function useListPlace<Search extends ListSearch>(
  route: ScreenRoute<Search>,
): ListPlace<Omit<Search, keyof ListSearch>> {
  const [{ page, cursor, sort, ...filter }, change] = useSearchState(route);
  const turn = (to: object, replace = false) =>
    change({ page: 1, cursor: undefined, ...to } as Partial<Search>, { resetScroll: true, replace });
  // somebody who goes on typing does not want the back button to return to every step of it
  const { search } = filter as { search?: string };
  return {
    filter,
    sort,
    page,
    cursor,
    onFilter: (next, order) =>
      turn(
        { ...next, ...(order === undefined ? {} : { sort: order }) },
        Boolean(search && (next as { search?: string }).search),
      ),
    onSort: (by) => turn({ sort: by }),
    onPage: (to, from) => turn({ page: to, cursor: from }),
  };
}
