import type { ProductCard } from '@tonerow/sdk';

type Block = 'withdrawn' | 'suspended' | 'limitReached';

/** The reason why downloads are blocked. */
export function blockOf({
  withdrawn,
  revoked,
  download_count: used,
  download_limit: limit,
}: ProductCard): Block | null {
  if (withdrawn) return 'withdrawn';
  if (revoked) return 'suspended';
  return used >= limit ? 'limitReached' : null;
}

/** Whether a file can be fetched: at the limit still one that has begun, which costs nothing more. */
export function isOpen(card: ProductCard, { begun }: { begun: boolean }): boolean {
  const block = blockOf(card);
  return block === null || (block === 'limitReached' && begun);
}
