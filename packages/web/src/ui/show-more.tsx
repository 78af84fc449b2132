import { Button } from './button.tsx';

interface ShowMoreProps {
  list: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    fetchNextPage: () => unknown;
  };
}

/** Loads the next page of a list, or tries again when that has failed; nothing at the end of the list. */
export function ShowMore({ list }: ShowMoreProps) {
  if (!list.hasNextPage) return null;
  return (
    <Button size="sm" onClick={() => list.fetchNextPage()} busy={list.isFetchingNextPage}>
      {list.isFetchNextPageError ? 'Try again' : 'Show more'}
    </Button>
  );
}
