import type { ShopKind } from '../connections/connections.schemas.ts';
import { other } from './other.ts';
import type { Connector } from './port.ts';
import { shopify } from './shopify.ts';
import { woocommerce } from './woocommerce.ts';

/** Each kind of shop that can be connected; the others are refused until they are here. */
export const connectors: Partial<Record<ShopKind, Connector>> = { other, shopify, woocommerce };
