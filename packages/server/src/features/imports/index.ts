import type { Partnerships } from '#features/partnerships';
import type { Base } from '#platform/feature.ts';
import { Import } from './imports.entity.ts';
import { importRoutes } from './imports.routes.ts';
import { ImportEvent } from './imports.schemas.ts';
import { Imports } from './imports.service.ts';

export { readScopes } from './kinds.ts';

export const imports = {
  entities: [Import],
  events: [ImportEvent] as const,

  create(base: Base, needs: { partnerships: Partnerships }) {
    const imports = new Imports({ ...base, ...needs });
    return { routes: [importRoutes(imports)], housekeeping: [() => imports.expire()] };
  },
};
