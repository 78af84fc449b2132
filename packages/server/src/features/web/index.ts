import type { Base } from '#platform/feature.ts';
import { clientRoutes } from './client.routes.ts';
import { type DeveloperOfHost, webRoutes } from './web.routes.ts';

export const web = {
  create({ webFolder, clientFolder, payments }: Base, { domains }: { domains: { developerOf: DeveloperOfHost } }) {
    const developerOf: DeveloperOfHost = (host) => domains.developerOf(host);
    return {
      routes: [clientRoutes(clientFolder, developerOf), webRoutes(webFolder, payments !== null, developerOf)],
    };
  },
};
