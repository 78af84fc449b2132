import { useNavigate, useSearch } from '@tanstack/react-router';
import { changing } from './use-search-state.ts';

/**
 * What the screen that is shown keeps in its address, as `useSearchState` has it of one route: for screens that several routes have.
 * @example const [{ action }, change] = useSearchHere<SearchOf<typeof auditSearch>>()
 */
export function useSearchHere<Search extends object>() {
  const search: object = useSearch({ strict: false });
  return changing(search as Search, useNavigate());
}
