import type { Base } from '../../platform/feature.ts';
import type { Partnerships, StockMoves } from '../partnerships/index.ts';
import type { BatchDeals } from './generate.ts';
import { SerialLists } from './listing.service.ts';
import { serialListRoutes } from './lists.routes.ts';
import type { OnLowStock } from './low-stock.ts';
import { moveBatches } from './move-batches.ts';
import { resellerStockRoutes } from './reseller-stock.routes.ts';
import { ResellerStock } from './reseller-stock.service.ts';
import { Batch, PartnerLowStock, Serial, SerialEvent } from './serials.entity.ts';
import { serialRoutes } from './serials.routes.ts';
import { LowSerialsEvent } from './serials.schemas.ts';
import { type RedeemUrl, Serials } from './serials.service.ts';
import { Standings } from './standing/standing.queries.ts';

export {
  HANDED_OUT,
  inStock,
  notForSale,
  type Obstacle,
  OPEN,
  obstacleOf,
  type SerialState,
  type StockState,
  sellable,
} from './availability-rules.ts';
export { checkDateOrder } from './batch-dates.ts';
export { type FunnelRow, funnelsOf } from './batch-funnel.ts';
export { addBatches, addSerials, redeemAll } from './bulk.ts';
export { giveSerial, handedOnSince, noteSerialEvent, setRevoked } from './change.ts';
export { findInText, searchedCode, serialKey, type TestKind, testKindOf } from './codes.ts';
export { countDownload, DOWNLOAD_LIMIT, hasBegun, type RecentDownloads } from './download-count.ts';
export type { BatchDeals, GeneratedDeal } from './generate.ts';
export { FEWER_THAN_CLAIMED, type HandedOut, handOutStatement, MOST_AT_ONCE, takeBackStatement } from './hand-out.ts';
export {
  type LowStockDependencies,
  noteLowStock,
  notePartnerLowStock,
  noteRestock,
  type OnLowStock,
} from './low-stock.ts';
export { codePattern } from './serial-list.queries.ts';
export { Serial } from './serials.entity.ts';
export { type LowSerialsEvent, MAX_QUANTITY } from './serials.schemas.ts';
export type { Serials } from './serials.service.ts';
export { stockExport } from './stock-export.ts';
export { takeSerial } from './take.ts';

export const serials = {
  entities: [Batch, Serial, SerialEvent, PartnerLowStock],
  events: [LowSerialsEvent] as const,

  create(
    base: Base,
    needs: {
      partnerships: Partnerships;
      partnershipStock: StockMoves;
      dealAnswers: BatchDeals;
      redeemUrl: RedeemUrl;
      notifications: { lowStock: OnLowStock };
    },
  ) {
    needs.partnershipStock.use(moveBatches);
    const standings = new Standings(base);
    const onLowStock: OnLowStock = (...low) => needs.notifications.lowStock(...low);
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
