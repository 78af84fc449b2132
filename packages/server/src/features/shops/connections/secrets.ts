import { base62, type Random } from '#platform/random.ts';
import type { ShopKind } from './connections.schemas.ts';

/** Whose secret it is: ours, which people paste into the shop; the shop’s, which they paste here; or there is none. */
const makers: Record<ShopKind, 'standard' | 'letters' | 'theirs' | 'none'> = {
  other: 'standard',
  // it reads a secret as HTML, and Lemon Squeezy takes no long one
  woocommerce: 'letters',
  lemonsqueezy: 'letters',
  fastspring: 'letters',
  shopify: 'theirs',
  stripe: 'theirs',
  paddle: 'theirs',
  gumroad: 'none',
};

const SECRET_BYTES = 32;
const LETTERS = 32;

/** A new secret for a shop; null: the shop makes it, or has none. */
export function makeSecret(kind: ShopKind, random: Random): string | null {
  const maker = makers[kind];
  if (maker === 'standard') return `whsec_${random.bytes(SECRET_BYTES).toString('base64')}`;
  return maker === 'letters' ? base62(random, LETTERS) : null;
}

export const takesSecret = (kind: ShopKind): boolean => makers[kind] !== 'none';
export const makesSecret = (kind: ShopKind): boolean => makers[kind] === 'standard' || makers[kind] === 'letters';
