import type { InferKyselyDB } from '@mikro-orm/postgresql';
import { ownTables } from '#platform/db/work.ts';
import {
  ShopConnection,
  ShopDelivery,
  ShopFarewell,
  ShopItem,
  ShopLine,
  ShopOrder,
  ShopOrderLink,
  ShopRate,
  ShopReversal,
  ShopUnit,
} from './shops.entity.ts';

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
