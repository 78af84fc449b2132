import { callerOf } from '#platform/access/guard.ts';
import type { App } from '#platform/http/app-kit.ts';
import { Message, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import * as s from './branding.schemas.ts';
import type { Domains } from './domains.service.ts';
import { limits } from './limits.ts';

export function domainRoutes(domains: Domains) {
  return async (app: App): Promise<void> => {
    app.post(
      '/api/developer/custom-domain',
      {
        config: {
          access: { as: 'user', role: 'developer', scope: 'account:write', verified: true },
          rateLimit: limits.domains,
        },
        schema: {
          operationId: 'setCustomDomain',
          tags: ['branding'],
          summary: 'Set a custom domain for the redemption page and check its DNS record',
          body: s.CustomDomainBody,
          response: privateAnswers({ 200: s.CustomDomainAnswer }, ...WRITE),
        },
      },
      async (request) => domains.set(callerOf(request), request.body.domain),
    );

    app.delete(
      '/api/developer/custom-domain',
      {
        config: { access: { as: 'user', role: 'developer', scope: 'account:write' } },
        schema: {
          operationId: 'removeCustomDomain',
          tags: ['branding'],
          summary: 'Remove the custom domain',
          response: privateAnswers({ 200: Message }, 404, ...WRITE),
        },
      },
      async (request) => {
        await domains.remove(callerOf(request));
        return { message: 'Custom domain removed.' };
      },
    );

    app.get(
      '/api/branding/domain-status',
      {
        config: { access: { as: 'user', role: 'developer', scope: 'account:read' } },
        schema: {
          operationId: 'getDomainStatus',
          tags: ['branding'],
          summary: 'Get the status of your custom domain',
          querystring: s.DomainQuery,
          response: privateAnswers({ 200: s.DomainStatus }),
        },
      },
      async (request) => domains.status(callerOf(request), request.query.domain),
    );
  };
}
