import type { App } from '#platform/http/app-kit.ts';
import type { CountryOf } from '#platform/network/geo.ts';
import { limits as policies } from '../requests/limits.ts';
import {
  pluginConfig as config,
  credentialOf,
  forms,
  type LicenseGuards,
  licenseRequests,
  neverBlockedConfig,
  refuseInJson,
  sameAnswer as response,
} from '../requests/plugin-call.http.ts';
import { ActivateBody } from '../rules/activate-body.ts';
import { LicenseRefusal } from '../rules/license-status.ts';
import * as s from './licensing.schemas.ts';
import type { Licensing } from './licensing.service.ts';

interface Services extends LicenseGuards {
  licensing: Licensing;
  countryOf: CountryOf;
}

export function licensingRoutes({ licensing, countryOf, ...guards }: Services) {
  return async (app: App): Promise<void> => {
    const callerOf = licenseRequests(app, { licensing, ...guards }, { credentialOf });

    app.post(
      '/api/license/v1/activate',
      {
        config,
        schema: {
          operationId: 'activateLicense',
          tags: ['licensing'],
          summary: 'Activate a machine: give it a seat',
          consumes: forms,
          body: ActivateBody,
          response,
        },
      },
      async (request) => licensing.activate(await callerOf(request), request.body, countryOf(request)),
    );

    app.post(
      '/api/license/v1/validate',
      {
        config: neverBlockedConfig,
        schema: {
          operationId: 'validateLicense',
          tags: ['licensing'],
          summary: 'Validate a machine’s activation',
          consumes: forms,
          body: s.ValidateBody,
          response,
        },
      },
      async (request) => licensing.validate(await callerOf(request), request.body),
    );

    app.post(
      '/api/license/v1/deactivate',
      {
        config,
        schema: {
          operationId: 'deactivateLicense',
          tags: ['licensing'],
          summary: 'Release a machine’s seat',
          consumes: forms,
          body: s.DeactivateBody,
          response,
        },
      },
      async (request) => licensing.deactivate(await callerOf(request), request.body),
    );

    app.post(
      '/api/license/v1/transfer',
      {
        config,
        schema: {
          operationId: 'transferLicense',
          tags: ['licensing'],
          summary: 'Move a seat to a machine whose id has changed',
          description: 'Takes no extra seat. The old machine’s validation token proves that it held one.',
          consumes: forms,
          body: s.TransferBody,
          response,
        },
      },
      async (request) => licensing.transfer(await callerOf(request), request.body),
    );

    app.post(
      '/api/license/v1/trial',
      {
        config,
        schema: {
          operationId: 'startTrial',
          tags: ['licensing'],
          summary: 'Start a product’s trial on a machine, once',
          description: 'Asking again returns the same trial. Its token has the claim `trial`.',
          consumes: forms,
          body: s.TrialBody,
          response,
        },
      },
      async (request) => licensing.startTrial(await callerOf(request), request.body),
    );
  };
}

export function jwksRoutes(licensing: Licensing) {
  return async (app: App): Promise<void> => {
    app.setErrorHandler(refuseInJson);
    app.get(
      '/api/license/v1/jwks',
      {
        config: { access: { as: 'public' }, rateLimit: policies.license },
        schema: {
          operationId: 'getLicenseKeys',
          tags: ['licensing'],
          summary: 'The public keys that verify a developer’s validation tokens',
          querystring: s.JwksQuery,
          response: { ...response, 200: s.Jwks },
        },
      },
      async (request, reply) => {
        const keys = await licensing.jwks(request.query.dev);
        if (!keys) throw new LicenseRefusal('not_found', 'Developer not found.');
        reply.header('cache-control', 'public, max-age=300');
        return { keys };
      },
    );
  };
}
