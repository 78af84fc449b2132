import type { Partnerships, StockMoves } from '#features/partnerships';
import type { Base } from '#platform/feature.ts';
import { batchRoutes } from './batches/batches.routes.ts';
import { Batches } from './batches/batches.service.ts';
import { moveBatches } from './batches/move-batches.ts';
import { changeRoutes } from './change/change.routes.ts';
import { SerialChanges } from './change/change.service.ts';
import { detailRoutes } from './detail/detail.routes.ts';
import { type RedeemUrl, SerialDetails } from './detail/detail.service.ts';
import { generateRoutes } from './generate/generate.routes.ts';
import { SerialGenerator } from './generate/generate.service.ts';
import type { BatchDeals } from './generate/generate.ts';
import { groupRoutes } from './groups/groups.routes.ts';
import { SerialGroups } from './groups/groups.service.ts';
import { listRoutes } from './list/list.routes.ts';
import { SerialList } from './list/list.service.ts';
import { downloadsOpen } from './redeemed/downloads-open.ts';
import { redeemedRoutes } from './redeemed/redeemed.routes.ts';
import { RedeemedSerials } from './redeemed/redeemed.service.ts';
import { Standings } from './standing/standing.queries.ts';
import { LowSerialsEvent } from './stock/low-stock.schemas.ts';
import type { OnLowStock } from './stock/low-stock.ts';
import { productStock } from './stock/product-stock.queries.ts';
import { resellerStockRoutes } from './stock/reseller-stock.routes.ts';
import { ResellerStock } from './stock/reseller-stock.service.ts';
import { type SerialsDb, tables } from './tables.ts';

export { type FunnelRow, funnelsOf } from './batches/batch-funnel.ts';
export { giveSerial, handedOnSince, noteSerialEvent } from './change/history.ts';
export { changeSerials, setRevoked } from './change/revoke.ts';
export { CodeMaker, findInText, searchedCode, serialKey, type TestKind, testKindOf } from './generate/codes.ts';
export { MAX_QUANTITY } from './generate/generate.schemas.ts';
export type { BatchDeals, GeneratedDeal } from './generate/generate.ts';
export { addBatches, addSerials, redeemAll } from './generate/import-rows.ts';
export { deleteImported, holdSerials, returnToStock } from './generate/undo-import.ts';
export { codePattern } from './list/serial-list.queries.ts';
export { countDownload, DOWNLOAD_LIMIT, hasBegun, type RecentDownloads } from './redeemed/download-count.ts';
export { type Obstacle, obstacleOf, type SerialState, type StockState } from './rules/availability-rules.ts';
export { checkDateOrder } from './rules/batch-dates.ts';
export { HANDED_OUT, inStock, notForSale, OPEN, sellable } from './rules/rows.ts';
export { Serial } from './serials.entity.ts';
export { type HandedOut, handOut, MOST_AT_ONCE, takeBack } from './stock/hand-out.ts';
export type { LowSerialsEvent } from './stock/low-stock.schemas.ts';
export {
  type LowStockDependencies,
  noteLowStock,
  noteResellerLowStock,
  noteRestock,
  type OnLowStock,
} from './stock/low-stock.ts';
export { type Terms, takeSerial } from './stock/redeem-row.ts';
export { stockExport } from './stock/reseller-export.ts';
export {
  canSell,
  countSold,
  holdSold,
  issueSold,
  repriceSold,
  type Sale,
  type SoldCount,
  type SoldSerial,
  takeSold,
} from './stock/sold.ts';

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
    const deps = { ...base, ...needs, standings, onLowStock };
    const generator = new SerialGenerator(deps);
    const list = new SerialList(deps);
    const details = new SerialDetails(deps);
    return {
      api: { serials: faceOf(base.db, generator, list, details), standings },
      routes: [
        generateRoutes(generator),
        listRoutes(list),
        groupRoutes(new SerialGroups(deps)),
        redeemedRoutes(new RedeemedSerials(deps)),
        detailRoutes(details),
        changeRoutes(new SerialChanges(deps)),
        batchRoutes(new Batches(deps)),
        resellerStockRoutes(new ResellerStock(base)),
      ],
    };
  },
};

/** The API of serials for other features. */
export type Serials = ReturnType<typeof faceOf>;

function faceOf(db: SerialsDb, generator: SerialGenerator, list: SerialList, details: SerialDetails) {
  return {
    ...productStock,
    downloadsOpen: (developerId: string, serialId: string) => downloadsOpen(db, developerId, serialId),
    generate: generator.generate.bind(generator),
    batchSerials: generator.batchSerials.bind(generator),
    list: list.list.bind(list),
    get: details.get.bind(details),
  };
}
