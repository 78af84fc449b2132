import type { ShopKind } from '../connections/connections.schemas.ts';
import { fastspring } from './fastspring.ts';
import { gumroad } from './gumroad.ts';
import { lemonsqueezy } from './lemonsqueezy.ts';
import { other } from './other.ts';
import { paddle } from './paddle.ts';
import type { Connector } from './port.ts';
import { shopify } from './shopify.ts';
import { stripe } from './stripe.ts';
import { woocommerce } from './woocommerce.ts';

/** Each kind of shop that can be connected. */
export const connectors: Record<ShopKind, Connector> = {
  fastspring,
  gumroad,
  lemonsqueezy,
  other,
  paddle,
  shopify,
  stripe,
  woocommerce,
};
