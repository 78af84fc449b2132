import type { App } from '#platform/http/app-kit.ts';
import type { CountryOf } from '#platform/network/geo.ts';
import {
  fileConfig as config,
  legacyCredentialOf as credentialOf,
  forms,
  type LicenseGuards,
  licenseRequests,
  sameAnswer,
} from '../requests/plugin-call.http.ts';
import { KeyFileBody, Text } from './juce.schemas.ts';
import type { KeyFiles } from './keyfile.service.ts';

interface Services extends LicenseGuards {
  keyFiles: KeyFiles;
  countryOf: CountryOf;
}

export function keyFileRoutes({ keyFiles, countryOf, ...guards }: Services) {
  return async (app: App): Promise<void> => {
    const callerOf = licenseRequests(app, guards, { credentialOf });

    app.post(
      '/api/license/v1/keyfile',
      {
        config,
        schema: {
          operationId: 'createKeyFile',
          tags: ['licensing'],
          summary: 'Give machines their seats and return the key file for stock JUCE and HISE plugins',
          consumes: forms,
          body: KeyFileBody,
          response: {
            ...sameAnswer,
            200: { description: 'The key file', content: { 'text/plain': { schema: Text } } },
          },
        },
      },
      async (request, reply) => {
        const { machines, ...form } = request.body;
        const text = await keyFiles.forMachines(await callerOf(request), form, machines, countryOf(request));
        reply.header('cache-control', 'no-store');
        return reply.type('text/plain; charset=utf-8').send(text);
      },
    );
  };
}
