import { type MyProducts, limits as redemptionLimits } from '#features/redemption';
import { AppError } from '#platform/errors.ts';
import type { App } from '#platform/http/app-kit.ts';
import { answers, WRITE } from '#platform/http/schemas.ts';
import { LicenseRefusal } from '../rules/license-status.ts';
import { LicenseFile, OwnOfflineBody } from './offline.schemas.ts';
import type { OfflineLicenses } from './offline.service.ts';

/** For the serial's owner, through the emailed link: takes a machine file and returns a license file. */
export function ownOfflineRoutes(offline: OfflineLicenses, mine: MyProducts) {
  return async (app: App): Promise<void> => {
    app.post(
      '/api/redeem/my-products/offline',
      {
        config: { access: { as: 'public' }, rateLimit: redemptionLimits.redeem },
        schema: {
          operationId: 'createOwnOfflineLicense',
          tags: ['redemption'],
          summary: 'Get the license file for your own offline computer',
          body: OwnOfflineBody,
          response: answers(
            { 200: { description: 'The license file', content: { 'text/plain': { schema: LicenseFile } } } },
            404,
            ...WRITE,
          ),
        },
      },
      async (request, reply) => {
        const { token, serial, machine_file } = request.body;
        const owner = await mine.owned(token, serial);
        const text = await offline.forOwner(owner, machine_file).catch((error: unknown) => {
          throw error instanceof LicenseRefusal ? new AppError('domain_rule', error.message) : error;
        });
        reply.header('cache-control', 'no-store').header('content-disposition', 'attachment; filename="license.txt"');
        return reply.type('text/plain; charset=utf-8').send(text);
      },
    );
  };
}
