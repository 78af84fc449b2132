import { useNavigate, useSearch } from '@tanstack/react-router';
import { changing } from './use-search-state.ts';

/**
 * Reads and changes the parameters in the address of the current screen. `useSearchState` does this for one route; this
 * is for screens that several routes have.
 * @example const [{ action }, change] = useSearchHere<SearchOf<typeof auditSearch>>()
 */
export function useSearchHere<Search extends object>() {
  const search: object = useSearch({ strict: false });
  return changing(search as Search, useNavigate());
}
