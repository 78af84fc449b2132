import type { Serials } from '#features/serials';
import type { Base } from '#platform/feature.ts';
import { firstStepsRoutes } from './first-steps.routes.ts';
import { FirstSteps } from './first-steps.service.ts';
import { tables } from './tables.ts';

export const firstSteps = {
  create(base: Base, { serials }: { serials: Serials }) {
    return { routes: [firstStepsRoutes(new FirstSteps({ ...base, db: tables.of(base.db), serials }))] };
  },
};
