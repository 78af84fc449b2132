import type { Base } from '../../platform/feature.ts';
import { Partnership } from './partnerships.entity.ts';
import { partnershipRoutes } from './partnerships.routes.ts';
import { Partnerships } from './partnerships.service.ts';

export { Partnership } from './partnerships.entity.ts';
export type { Partnerships } from './partnerships.service.ts';

export const partnerships = {
  entities: [Partnership],

  create(base: Base) {
    const partnerships = new Partnerships(base);
    return { api: { partnerships }, routes: [partnershipRoutes(partnerships)] };
  },
};
