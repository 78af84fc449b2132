import type { DownloadPages } from '#features/branding';
import type { Base } from '#platform/feature.ts';
import { jobWorker } from '#platform/jobs/job.ts';
import { fileRoutes } from './files.routes.ts';
import { Files, type OpenSerials } from './files.service.ts';
import { hashFileJob } from './hash-file.ts';
import { tables } from './tables.ts';

export { sendRanged } from './send-ranged.http.ts';

export const files = {
  entities: tables.entities,

  create(base: Base, { serials, downloadPages }: { serials: OpenSerials; downloadPages: DownloadPages }) {
    const files = new Files({ ...base, db: tables.of(base.db), serials });
    return {
      api: { files },
      routes: [fileRoutes(files, downloadPages)],
      jobs: [jobWorker(hashFileJob, (file) => files.hash(file))],
      housekeeping: [() => files.expireUploads(), () => files.hashRest()],
    };
  },
};
