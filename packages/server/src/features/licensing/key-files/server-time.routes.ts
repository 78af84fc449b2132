import type { App } from '#platform/http/app-kit.ts';
import { limits as policies } from '../requests/limits.ts';
import {
  neverBlockedConfig as config,
  credentialOf,
  type LicenseGuards,
  licenseRequests,
  sameAnswer,
} from '../requests/plugin-call.http.ts';
import { LicenseTime, LicenseTimeQuery } from './server-time.schemas.ts';
import type { ServerTime } from './server-time.service.ts';

interface Services extends LicenseGuards {
  serverTime: ServerTime;
}

export function serverTimeRoutes({ serverTime, ...guards }: Services) {
  return async (app: App): Promise<void> => {
    const callerOf = licenseRequests(app, guards, { credentialOf });

    app.get(
      '/api/license/v1/time',
      {
        config,
        schema: {
          operationId: 'getLicenseTime',
          tags: ['licensing'],
          summary: 'The server’s time',
          description: 'With a product, it is also signed with that product’s RSA key, in the format HISE reads.',
          querystring: LicenseTimeQuery,
          response: { ...sameAnswer, 200: LicenseTime },
        },
      },
      async (request, reply) => {
        const { product_id: productId } = request.query;
        // then it is RSA work, as a key file is
        if (productId !== undefined) await guards.limits.take(policies.license_file, request.ip, reply);
        reply.header('cache-control', 'no-store');
        return serverTime.now(await callerOf(request), productId);
      },
    );
  };
}
