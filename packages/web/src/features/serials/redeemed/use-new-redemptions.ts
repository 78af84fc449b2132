import { useEffect, useState } from 'react';
import { useLive } from '#lib/live.ts';

/**
 * How many serials were redeemed since the first page was read. They wait for a click.
 */
export function useNewRedemptions(readAt: number): number {
  const [count, setCount] = useState(0);
  useLive(({ type }) => {
    if (type === 'redemption') setCount((before) => before + 1);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a newer first page has them all
  useEffect(() => setCount(0), [readAt]);
  return count;
}
