import type { Base } from '../../platform/feature.ts';
import type { Serials } from '../serials/index.ts';
import { firstStepsRoutes } from './first-steps.routes.ts';
import { FirstSteps } from './first-steps.service.ts';

export const firstSteps = {
  create(base: Base, { serials }: { serials: Serials }) {
    return { routes: [firstStepsRoutes(new FirstSteps({ ...base, serials }))] };
  },
};
