import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { plural } from '#lib/format/format.ts';
import { useTitle } from '#lib/hooks.ts';
import type { ListPlace } from '#lib/lists/list-place.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { Button } from '#ui/button.tsx';
import { List, listQuery } from '#widgets/lists/list.tsx';
import type { RedeemedFilter } from '../list-filters.ts';
import { useGenerator } from '../use-generator.ts';
import { redeemedList } from './redeemed-list.tsx';
import { useNewRedemptions } from './use-new-redemptions.ts';

export function Redeemed({ place }: { place: ListPlace<RedeemedFilter> }) {
  useTitle('Serials: Redeemed');
  const onCreate = useGenerator();
  const { page, onPage } = place;
  const queryClient = useQueryClient();
  const { isPlaceholderData, dataUpdatedAt } = useQuery({ ...listQuery(redeemedList, place), enabled: false });
  const [firstReadAt, setFirstReadAt] = useState(0);
  useEffect(() => {
    if (page === 1 && !isPlaceholderData) setFirstReadAt(dataUpdatedAt);
  }, [page, isPlaceholderData, dataUpdatedAt]);
  const fresh = useNewRedemptions(firstReadAt);
  const show = () => {
    onPage(1);
    refreshAfter(queryClient, 'redeemedAskedFor');
  };
  const news =
    fresh > 0 ? (
      <Button size="sm" variant="ghost" onClick={show} className="text-accent-text" aria-live="polite">
        {plural(fresh, 'new redemption')} – Show
      </Button>
    ) : null;
  return <List of={redeemedList} place={place} news={news} onCreate={onCreate} />;
}
