import type { CountryOf } from '../../platform/geo.ts';
import type { App } from '../../platform/http/app-kit.ts';
import {
  fileConfig as config,
  credentialOf,
  forms,
  jsonRefusals,
  looseBodies,
  refusalStatuses,
} from './juce-request.routes.ts';
import { LicenseAnswer } from './licensing.schemas.ts';
import { LicenseFile, OfflineBody } from './offline.schemas.ts';
import type { OfflineLicenses } from './offline.service.ts';

const refusals = Object.fromEntries(refusalStatuses.map((status) => [status, LicenseAnswer]));

export function offlineRoutes(offline: OfflineLicenses, countryOf: CountryOf) {
  return async (app: App): Promise<void> => {
    looseBodies(app);
    jsonRefusals(app);

    app.post(
      '/api/license/v1/offline',
      {
        config,
        helmet: false,
        schema: {
          operationId: 'createOfflineLicense',
          tags: ['licensing'],
          summary: 'Turn the machine file of a computer without network into its licence file',
          consumes: forms,
          body: OfflineBody,
          response: {
            ...refusals,
            200: { description: 'The licence file', content: { 'text/plain': { schema: LicenseFile } } },
          },
        },
      },
      async (request, reply) => {
        const text = await offline.create(credentialOf(request), request.body, countryOf(request));
        reply.header('cache-control', 'no-store');
        return reply.type('text/plain; charset=utf-8').send(text);
      },
    );
  };
}
