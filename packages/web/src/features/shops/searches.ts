import { flag, oneOf } from '#lib/navigation/search-params.ts';
import type { ShopKind } from '#lib/types.ts';

const shopKinds = [
  'woocommerce',
  'shopify',
  'fastspring',
  'stripe',
  'paddle',
  'lemonsqueezy',
  'gumroad',
  'other',
] as const satisfies readonly ShopKind[];

// beside the screens and not in them: the routes need them before a screen is loaded
export const newShopSearch = { kind: oneOf(shopKinds) };
export const shopSearch = { unmapped: flag };
