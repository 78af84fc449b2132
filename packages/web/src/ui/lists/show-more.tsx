import { Button } from '../button.tsx';

interface ShowMoreProps {
  list: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    fetchNextPage: () => unknown;
  };
  words?: string;
  size?: 'sm' | 'md';
  /** The text around it shows the failure. */
  quiet?: boolean;
}

/** Loads the next page of a list, or tries again when that has failed; nothing at the end of the list. */
export function ShowMore({ list, words = 'Show more', size = 'sm', quiet = false }: ShowMoreProps) {
  if (!list.hasNextPage) return null;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3 gap-y-1.5">
      {list.isFetchNextPageError && !quiet ? (
        <span role="alert" className="text-sm text-muted">
          The next ones couldn't be loaded.
        </span>
      ) : null}
      <Button size={size} onClick={() => list.fetchNextPage()} busy={list.isFetchingNextPage}>
        {list.isFetchNextPageError ? 'Try again' : words}
      </Button>
    </span>
  );
}
