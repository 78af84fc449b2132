import { type MyProducts, limits as redemptionLimits } from '#features/redemption';
import { AppError } from '#platform/errors.ts';
import type { App } from '#platform/http/app-kit.ts';
import { answers, Ok, WRITE } from '#platform/http/schemas.ts';
import { LicenseRefusal } from '../rules/license-status.ts';
import { LicenseFile, OwnOfflineBody, OwnReleaseBody } from './offline.schemas.ts';
import type { OfflineLicenses } from './offline.service.ts';
import type { OfflineReleases } from './releases.service.ts';

/**
 * Routes for a serial's owner, with the emailed link. They take a machine file and return a license file, or take a
 * release file.
 */
export function ownOfflineRoutes(offline: OfflineLicenses, releases: OfflineReleases, mine: MyProducts) {
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
        const text = await offline.forOwner(owner, machine_file).catch(refuse);
        reply.header('cache-control', 'no-store').header('content-disposition', 'attachment; filename="license.txt"');
        return reply.type('text/plain; charset=utf-8').send(text);
      },
    );

    app.post(
      '/api/redeem/my-products/offline/release',
      {
        config: { access: { as: 'public' }, rateLimit: redemptionLimits.redeem },
        schema: {
          operationId: 'releaseOwnOfflineLicense',
          tags: ['redemption'],
          summary: 'Release the seat of your own offline computer by its release file',
          body: OwnReleaseBody,
          response: answers({ 200: Ok }, 404, ...WRITE),
        },
      },
      async (request) => {
        const { token, serial, release } = request.body;
        await releases.releaseOwn(await mine.owned(token, serial), release).catch(refuse);
        return { ok: true as const };
      },
    );
  };
}

function refuse(error: unknown): never {
  throw error instanceof LicenseRefusal ? new AppError('domain_rule', error.message) : error;
}
