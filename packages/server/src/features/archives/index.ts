import type { Sql } from '#platform/db/database.ts';
import type { Base } from '#platform/feature.ts';
import { jobWorker } from '#platform/jobs/job.ts';
import { archiveRoutes } from './archives.routes.ts';
import { Archives, archiveJob, archiveRemovalJob } from './archives.service.ts';
import { tables } from './tables.ts';

export const archives = {
  entities: tables.entities,

  create(base: Base) {
    const archives = new Archives(base);
    return {
      api: { archives: { deleteOf: (sql: Sql, accountId: string) => archives.deleteOf(sql, accountId) } },
      routes: [archiveRoutes(archives)],
      jobs: [
        jobWorker(archiveJob, (job) => archives.work(job)),
        jobWorker(archiveRemovalJob, (gone) => archives.remove(gone)),
      ],
      housekeeping: [() => archives.expire()],
    };
  },
};
