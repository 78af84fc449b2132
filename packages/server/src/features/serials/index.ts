export { serialKey } from './codes.ts';
export { Batch, Serial, SerialEvent } from './serials.entity.ts';
export { serialRoutes } from './serials.routes.ts';
export { Serials } from './serials.service.ts';
