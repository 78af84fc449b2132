export type { ClaimInput, ClaimOutcome } from './claim.ts';
export { RedeemTicket, Redemption } from './redemption.entity.ts';
export { redemptionRoutes } from './redemption.routes.ts';
export { DOWNLOAD_LIMIT, Redemptions } from './redemption.service.ts';
