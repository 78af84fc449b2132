import type { App } from '#platform/http/app-kit.ts';
import { LicenseRefusal, licenseStatuses } from '../rules/license-status.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/**
 * Whatever lies under the licensing API and is no call of it is answered in its own form, because plugins read nothing
 * else.
 */
export async function unknownCallRoutes(app: App): Promise<void> {
  await app.register(refuseUnknown, { prefix: '/api/license' });
}

async function refuseUnknown(app: App): Promise<void> {
  app.setNotFoundHandler((request, reply) => {
    const url = (request.raw.url ?? '').split('?', 1)[0]?.replace(/\/+$/, '') ?? '';
    const allowed = METHODS.filter((method) => app.hasRoute({ url, method }));
    const { status, message } =
      allowed.length > 0
        ? new LicenseRefusal('invalid_request', `This call requires ${allowed.join(', ')}, not ${request.method}.`)
        : new LicenseRefusal('not_found', 'There is no call at this address.');
    if (allowed.length > 0) reply.header('allow', allowed.join(', '));
    return reply
      .code(allowed.length > 0 ? 405 : licenseStatuses.not_found[0])
      .type('application/json; charset=utf-8')
      .send({ ok: false, status, error: message });
  });
}
