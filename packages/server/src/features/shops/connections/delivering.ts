import { AppError, invalidField } from '#platform/errors.ts';
import type { ShopsHandle } from '../tables.ts';
import type { ShopKind } from './connections.schemas.ts';
import { isReseller } from './owner.ts';

/** How a shop itself gives codes to its customers; null: it can't. */
const ways: Record<ShopKind, 'call' | 'note' | 'page' | 'program' | null> = {
  fastspring: 'call',
  woocommerce: 'note',
  // customers follow the link to our page for orders, which the shop shows
  stripe: 'page',
  lemonsqueezy: 'page',
  other: 'program',
  shopify: null,
  paddle: null,
  gumroad: null,
};

/**
 * Refuses that a shop gives the codes which can't, so that nobody waits for them.
 * @throws {AppError} invalid_request; domain_rule where something has to be done first.
 */
export async function refuseDelivering(
  tx: ShopsHandle,
  accountId: string,
  { kind, isOpen }: { kind: ShopKind; isOpen: boolean },
): Promise<void> {
  const way = ways[kind];
  if (way === null) throw invalidField('delivery', 'Such a shop can’t give the codes. We email them.');
  if ((way === 'note' || way === 'page') && (await isReseller(tx, accountId)))
    throw invalidField('delivery', 'A reseller’s codes are of several developers. We email them.');
  if (way === 'note' && !isOpen)
    throw new AppError(
      'domain_rule',
      'Open the shop’s API first, by a key with the permission “Read/Write”: the shop writes the codes into a customer note.',
    );
}
