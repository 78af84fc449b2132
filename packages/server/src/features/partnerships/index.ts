export { Partnership } from './partnerships.entity.ts';
export { partnershipRoutes } from './partnerships.routes.ts';
export { Partnerships } from './partnerships.service.ts';
