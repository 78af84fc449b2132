import type { App } from '#platform/http/app-kit.ts';
import type { CountryOf } from '#platform/network/geo.ts';
import {
  answerStatuses,
  pluginConfig as config,
  legacyCredentialOf as credentialOf,
  forms,
  type LicenseGuards,
  licenseRequests,
  neverBlockedConfig,
} from '../requests/plugin-call.http.ts';
import * as s from './hise.schemas.ts';
import type { HiseLicensing } from './hise.service.ts';

const response = Object.fromEntries(answerStatuses.map((status) => [status, s.HiseAnswer])) as {
  200: typeof s.HiseAnswer;
};
const shared = { tags: ['licensing'], consumes: forms, querystring: s.HiseQuery, response };

interface Services extends LicenseGuards {
  hise: HiseLicensing;
  countryOf: CountryOf;
}

/** As shipped HISE plugins call it: forms or JSON, credentials in headers or in the query. */
export function hiseRoutes({ hise, countryOf, ...guards }: Services) {
  return async (app: App): Promise<void> => {
    const callerOf = licenseRequests(app, guards, { credentialOf });

    app.post(
      '/api/license/activate',
      {
        config,
        schema: {
          ...shared,
          operationId: 'hiseActivate',
          summary: 'Activate a machine, as HISE plugins do',
          body: s.HiseActivateBody,
        },
      },
      async (request) => hise.activate(await callerOf(request), request.body, countryOf(request)),
    );

    app.post(
      '/api/license/validate',
      {
        config: neverBlockedConfig,
        schema: {
          ...shared,
          operationId: 'hiseValidate',
          summary: 'Validate a machine’s activation, as HISE plugins do',
          body: s.HiseValidateBody,
        },
      },
      async (request) => hise.validate(await callerOf(request), request.body),
    );

    app.post(
      '/api/license/deactivate',
      {
        config,
        schema: {
          ...shared,
          operationId: 'hiseDeactivate',
          summary: 'Deactivate a machine, as HISE plugins do',
          body: s.HiseDeactivateBody,
        },
      },
      async (request) => hise.deactivate(await callerOf(request), request.body),
    );
  };
}
