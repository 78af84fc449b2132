export { LedgerCountry, LedgerDay } from './ledger.entity.ts';
export { rebuildSums, recordAll } from './ledger.ts';
export { limits } from './limits.ts';
export { myProductRoutes } from './my-products.routes.ts';
export { MyProducts } from './my-products.service.ts';
export { RedeemTicket, Redemption } from './redemption.entity.ts';
export { redemptionRoutes } from './redemption.routes.ts';
export { RedemptionEvent } from './redemption.schemas.ts';
export { Redemptions } from './redemption.service.ts';
