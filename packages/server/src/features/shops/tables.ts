import type { InferKyselyDB } from '@mikro-orm/postgresql';
import { ownTables } from '#platform/db/work.ts';
import { ShopConnection, ShopFarewell } from './connections/connections.entity.ts';
import { ShopDelivery } from './inbound/deliveries.entity.ts';
import { ShopItem } from './items/items.entity.ts';
import { ShopOrderLink } from './links/order-links.entity.ts';
import { ShopLine, ShopOrder, ShopReversal, ShopUnit } from './orders/orders.entity.ts';
import { ShopRate } from './rates/rates.entity.ts';

const entities = [
  ShopConnection,
  ShopFarewell,
  ShopItem,
  ShopDelivery,
  ShopOrder,
  ShopOrderLink,
  ShopLine,
  ShopUnit,
  ShopReversal,
  ShopRate,
] as const;

interface Own extends InferKyselyDB<(typeof entities)[number]> {}

declare module '#platform/db/tables.ts' {
  interface Tables extends Own {}
}

export const tables = ownTables('shops', entities);
export type ShopsDb = ReturnType<typeof tables.of>;
export type ShopsHandle = ReturnType<typeof tables.in>;
