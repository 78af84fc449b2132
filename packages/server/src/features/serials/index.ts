import type { Partnerships, StockMoves } from '#features/partnerships';
import type { Base } from '#platform/feature.ts';
import { moveBatches } from './batches/move-batches.ts';
import type { BatchDeals } from './generate/generate.ts';
import { SerialLists } from './listing.service.ts';
import { serialListRoutes } from './lists.routes.ts';
import { serialRoutes } from './serials.routes.ts';
import { LowSerialsEvent } from './serials.schemas.ts';
import { type RedeemUrl, Serials } from './serials.service.ts';
import { Standings } from './standing/standing.queries.ts';
import type { OnLowStock } from './stock/low-stock.ts';
import { resellerStockRoutes } from './stock/reseller-stock.routes.ts';
import { ResellerStock } from './stock/reseller-stock.service.ts';
import { tables } from './tables.ts';

export { type FunnelRow, funnelsOf } from './batches/batch-funnel.ts';
export { giveSerial, handedOnSince, noteSerialEvent } from './change/history.ts';
export { setRevoked } from './change/revoke.ts';
export { findInText, searchedCode, serialKey, type TestKind, testKindOf } from './generate/codes.ts';
export type { BatchDeals, GeneratedDeal } from './generate/generate.ts';
export { addImportedBatches, addImportedSerials, redeemImportedSerials } from './generate/import-rows.ts';
export {
  addBatches,
  addSerials,
  HANDED_OUT,
  handOutStatement,
  inStock,
  notForSale,
  OPEN,
  redeemAll,
  sellable,
  takeBackStatement,
} from './lent-text.ts';
export { codePattern } from './list/serial-list.queries.ts';
export { countDownload, DOWNLOAD_LIMIT, hasBegun, type RecentDownloads } from './redeemed/download-count.ts';
export {
  isHandedOut,
  isInStock,
  isNotForSale,
  isOpen,
  isSellable,
  isUnused,
  type Obstacle,
  obstacleOf,
  type SerialState,
  type StockState,
} from './rules/availability-rules.ts';
export { checkDateOrder } from './rules/batch-dates.ts';
export { Serial } from './serials.entity.ts';
export { type LowSerialsEvent, MAX_QUANTITY } from './serials.schemas.ts';
export type { Serials } from './serials.service.ts';
export {
  FEWER_THAN_CLAIMED,
  type HandedOut,
  type HandOutOrder,
  type HandOutParts,
  handOut,
  isFewerThanClaimed,
  MOST_AT_ONCE,
  takeBack,
} from './stock/hand-out.ts';
export {
  type LowStockDependencies,
  noteLowStock,
  notePartnerLowStock,
  noteRestock,
  type OnLowStock,
} from './stock/low-stock.ts';
export { takeSerial } from './stock/redeem-row.ts';
export { stockExport } from './stock/reseller-export.ts';

export const serials = {
  entities: tables.entities,
  events: [LowSerialsEvent] as const,

  create(
    platform: Base,
    needs: {
      partnerships: Partnerships;
      partnershipStock: StockMoves;
      dealAnswers: BatchDeals;
      redeemUrl: RedeemUrl;
      emails: { lowStock: OnLowStock };
    },
  ) {
    const base = { ...platform, db: tables.of(platform.db) };
    needs.partnershipStock.use(moveBatches);
    const standings = new Standings(base);
    const onLowStock: OnLowStock = (...low) => needs.emails.lowStock(...low);
    const serials = new Serials({ ...base, ...needs, standings, onLowStock });
    return {
      api: { serials, standings },
      routes: [
        serialListRoutes(new SerialLists({ ...base, standings, onLowStock })),
        serialRoutes(serials),
        resellerStockRoutes(new ResellerStock(base)),
      ],
    };
  },
};
