import type { Partnerships } from '#features/partnerships';
import type { Base } from '#platform/feature.ts';
import { jobWorker } from '#platform/jobs/job.ts';
import { assistantRoutes } from './assistant/assistant.routes.ts';
import { Assistant } from './assistant/assistant.service.ts';
import { ImportJob, importJob } from './assistant/import-job.ts';
import { importRoutes } from './imports.routes.ts';
import { ImportEvent } from './imports.schemas.ts';
import { Imports } from './imports.service.ts';
import { proofRoutes } from './proof/proof.routes.ts';
import { Proofs } from './proof/proof.service.ts';
import { tables } from './tables.ts';

export { readScopes } from './kinds.ts';

export const imports = {
  entities: tables.entities,
  events: [ImportEvent] as const,

  create(base: Base, needs: { partnerships: Partnerships }) {
    const deps = { ...base, ...needs, db: tables.of(base.db) };
    const imports = new Imports(deps);
    const assistant = new Assistant(deps);
    const job = new ImportJob(deps);
    return {
      routes: [importRoutes(imports, assistant), assistantRoutes(assistant), proofRoutes(new Proofs(deps))],
      jobs: [jobWorker(importJob, (order) => job.work(order))],
      housekeeping: [() => imports.expire(), () => job.expire()],
    };
  },
};
