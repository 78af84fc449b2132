import type { Base } from '#platform/feature.ts';
import { type DeveloperOfHost, webRoutes } from './web.routes.ts';

export const web = {
  create({ webFolder, payments }: Base, { domains }: { domains: { developerOf: DeveloperOfHost } }) {
    return { routes: [webRoutes(webFolder, payments !== null, (host) => domains.developerOf(host))] };
  },
};
