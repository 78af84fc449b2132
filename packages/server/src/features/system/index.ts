import type { Base } from '#platform/feature.ts';
import { systemRoutes } from './system.routes.ts';

export { readyAnswer, startedAnswer } from './health.ts';

export const system = {
  create({ readiness, warnings }: Base) {
    return {
      routes: [
        systemRoutes(
          () => readiness.state(),
          () => warnings.all(),
          () => readiness.isStarted,
        ),
      ],
    };
  },
};
