import type { InputOf } from '@tonerow/sdk';
import { everyOf } from '#define/option-types.ts';

type Body = InputOf<'createShop'>['body'];

export const WHICH = [['<shop>', 'its id, as "tonerow shops list" shows it']] as const;
export const ORDER = [['<order>', 'its id, as "tonerow shops orders" shows it']] as const;
export const KINDS = everyOf<Body['kind']>({
  shopify: 0,
  woocommerce: 0,
  fastspring: 0,
  stripe: 0,
  paddle: 0,
  lemonsqueezy: 0,
  gumroad: 0,
  other: 0,
});
export const MODES = ['live', 'test'] as const;
export const DELIVERY = ['us', 'shop'] as const;
export const ON_REFUND = ['ask', 'revoke', 'keep'] as const;
export const ON_DISPUTE = ['suspend', 'revoke'] as const;
export const ON_DUPLICATE = ['warn', 'hold', 'ignore'] as const;
