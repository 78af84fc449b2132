import type { Base } from '#platform/feature.ts';
import { systemRoutes } from './system.routes.ts';

export { readyAnswer } from './health.ts';

export const system = {
  create({ readiness, warnings }: Base) {
    return {
      routes: [
        systemRoutes(
          () => readiness.state(),
          () => warnings.all(),
        ),
      ],
    };
  },
};
