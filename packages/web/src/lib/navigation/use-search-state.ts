/** A route of a screen, as far as its address goes. */
export interface ScreenRoute<Search> {
  types: { fullSearchSchema: Search };
  useSearch: () => unknown;
  useNavigate: () => (options: never) => unknown;
}

interface Options {
  /** Instead of the entry that Back leads to. */
  replace?: boolean;
  resetScroll?: boolean;
}

/**
 * Reads and changes the parameters that a screen keeps in its address. A change leaves alone the parameters that it
 * does not name.
 * @example const [{ status }, change] = useSearchState(Route)
 */
export function useSearchState<Search extends object>(route: ScreenRoute<Search>) {
  return changing(route.useSearch() as Search, route.useNavigate());
}

export function changing<Search>(search: Search, go: (options: never) => unknown) {
  const navigate = go as (options: object) => unknown;
  const change = (changed: Partial<Search>, options: Options = {}) =>
    navigate({ resetScroll: false, ...options, search: (before: Search) => ({ ...before, ...changed }) });
  return [search, change] as const;
}
