import type { App } from '#platform/http/app-kit.ts';
import type { CountryOf } from '#platform/network/geo.ts';
import {
  fileConfig as config,
  legacyCredentialOf as credentialOf,
  forms,
  type LicenseGuards,
  licenseRequests,
  pluginConfig,
  sameAnswer,
} from '../requests/plugin-call.http.ts';
import { LicenseFile, OfflineBody, OfflineReleaseBody } from './offline.schemas.ts';
import type { OfflineLicenses } from './offline.service.ts';
import type { OfflineReleases } from './releases.service.ts';

interface Services extends LicenseGuards {
  offline: OfflineLicenses;
  releases: OfflineReleases;
  countryOf: CountryOf;
}

export function offlineRoutes({ offline, releases, countryOf, ...guards }: Services) {
  return async (app: App): Promise<void> => {
    const callerOf = licenseRequests(app, guards, { credentialOf });

    app.post(
      '/api/license/v1/offline',
      {
        config,
        schema: {
          operationId: 'createOfflineLicense',
          tags: ['licensing'],
          summary: 'Turn the machine file of an offline computer into its license file',
          consumes: forms,
          body: OfflineBody,
          response: {
            ...sameAnswer,
            200: { description: 'The license file', content: { 'text/plain': { schema: LicenseFile } } },
          },
        },
      },
      async (request, reply) => {
        const text = await offline.create(await callerOf(request), request.body, countryOf(request));
        reply.header('cache-control', 'no-store');
        return reply.type('text/plain; charset=utf-8').send(text);
      },
    );

    app.post(
      '/api/license/v1/offline/release',
      {
        config: pluginConfig,
        schema: {
          operationId: 'releaseOfflineLicense',
          tags: ['licensing'],
          summary: 'Release the seat of an offline computer by its release file, before the lease ends',
          consumes: forms,
          body: OfflineReleaseBody,
          response: sameAnswer,
        },
      },
      async (request) => releases.release(await callerOf(request), request.body.release),
    );
  };
}
