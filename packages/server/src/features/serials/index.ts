export { type Obstacle, OPEN, obstacleOf, redeemable, type SerialState } from './availability-rules.ts';
export { serialKey, type TestKind, testKindOf } from './codes.ts';
export { SerialLists } from './listing.service.ts';
export { serialListRoutes } from './lists.routes.ts';
export { Batch, Serial, SerialEvent } from './serials.entity.ts';
export { serialRoutes } from './serials.routes.ts';
export { LowSerialsEvent } from './serials.schemas.ts';
export { Serials } from './serials.service.ts';
export { noteLowStock, noteRestock, type OnLowStock } from './stock.ts';
