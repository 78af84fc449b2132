import type { CountryOf } from '../../platform/geo.ts';
import type { App } from '../../platform/http/app-kit.ts';
import { KeyFileBody, Text } from './juce.schemas.ts';
import {
  fileConfig as config,
  credentialOf,
  forms,
  jsonRefusals,
  looseBodies,
  refusalStatuses,
} from './juce-request.routes.ts';
import type { KeyFiles } from './keyfile.service.ts';
import { LicenseAnswer } from './licensing.schemas.ts';

const refusals = Object.fromEntries(refusalStatuses.map((status) => [status, LicenseAnswer]));

export function keyFileRoutes(keyFiles: KeyFiles, countryOf: CountryOf) {
  return async (app: App): Promise<void> => {
    looseBodies(app);
    jsonRefusals(app);

    app.post(
      '/api/license/v1/keyfile',
      {
        config,
        helmet: false,
        schema: {
          operationId: 'createKeyFile',
          tags: ['licensing'],
          summary: 'Give machines their seats and answer the key file of stock JUCE and HISE plugins',
          consumes: forms,
          body: KeyFileBody,
          response: {
            ...refusals,
            200: { description: 'The key file', content: { 'text/plain': { schema: Text } } },
          },
        },
      },
      async (request, reply) => {
        const { machines, ...form } = request.body;
        const text = await keyFiles.forMachines(credentialOf(request), form, machines, countryOf(request));
        reply.header('cache-control', 'no-store');
        return reply.type('text/plain; charset=utf-8').send(text);
      },
    );
  };
}
