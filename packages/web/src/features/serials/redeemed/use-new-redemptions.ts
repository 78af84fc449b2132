import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLive } from '../../../lib/live.ts';
import { redeemedKey } from '../serial-cache.ts';

/**
 * How many serials were redeemed since the first page was read. They wait for a click.
 */
export function useNewRedemptions(readAt: number): number {
  const queryClient = useQueryClient();
  const [count, setCount] = useState(0);
  useLive(({ type, data }) => {
    if (type === 'redemption') setCount((before) => before + 1);
    if (type === 'resync' || (type === 'import' && data.kind === 'redeemed' && data.state !== 'running'))
      queryClient.invalidateQueries({ queryKey: redeemedKey });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a newer first page has them all
  useEffect(() => setCount(0), [readAt]);
  return count;
}
