import type { Database, Sql } from '#platform/db/database.ts';
import type { Base } from '#platform/feature.ts';
import { jobWorker } from '#platform/jobs/job.ts';
import { someHosts } from './branding.queries.ts';
import { brandingRoutes } from './branding.routes.ts';
import { Branding } from './branding.service.ts';
import { domainRoutes } from './domains.routes.ts';
import { checkDomainsJob, Domains } from './domains.service.ts';
import { DownloadPages } from './download-pages/download-pages.service.ts';
import { tables } from './tables.ts';

export { brandLook } from './branding.schemas.ts';
export { fileErrorHandler, visitOf } from './download-pages/download-pages.http.ts';
export type { Asked, DownloadPages } from './download-pages/download-pages.service.ts';

/** Some verified domains, those first that were not looked at for the longest time, and how many there are. */
export const verifiedHosts = (db: Database, most: number) => someHosts(tables.of(db), most);

interface Needs {
  /** Where a developer's customers redeem. */
  redeemUrl(sql: Sql, developerId: string): Promise<string>;
}

export const branding = {
  entities: tables.entities,

  create(platform: Base, needs: Needs) {
    const base = { ...platform, db: tables.of(platform.db) };
    const domains = new Domains(base);
    const branding = new Branding({ ...base, domains });
    const downloadPages = new DownloadPages({ ...base, ...needs, branding, domains });
    return {
      api: { domains, downloadPages },
      routes: [brandingRoutes(branding), domainRoutes(domains)],
      jobs: [jobWorker(checkDomainsJob, () => domains.checkAll())],
    };
  },
};
