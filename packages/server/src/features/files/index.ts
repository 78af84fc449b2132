import type { DownloadPages } from '#features/branding';
import type { Base } from '#platform/feature.ts';
import { StoredFile } from './files.entity.ts';
import { fileRoutes } from './files.routes.ts';
import { Files, type OpenSerials } from './files.service.ts';

export const files = {
  entities: [StoredFile],

  create(base: Base, { serials, downloadPages }: { serials: OpenSerials; downloadPages: DownloadPages }) {
    const files = new Files({ ...base, serials });
    return { api: { files }, routes: [fileRoutes(files, downloadPages)], housekeeping: [() => files.expireUploads()] };
  },
};
