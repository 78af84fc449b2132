import type { Partnerships } from '#features/partnerships';
import type { Base } from '#platform/feature.ts';
import { importRoutes } from './imports.routes.ts';
import { ImportEvent } from './imports.schemas.ts';
import { Imports } from './imports.service.ts';
import { tables } from './tables.ts';

export { readScopes } from './kinds.ts';

export const imports = {
  entities: tables.entities,
  events: [ImportEvent] as const,

  create(base: Base, needs: { partnerships: Partnerships }) {
    const imports = new Imports({ ...base, ...needs, db: tables.of(base.db) });
    return { routes: [importRoutes(imports)], housekeeping: [() => imports.expire()] };
  },
};
