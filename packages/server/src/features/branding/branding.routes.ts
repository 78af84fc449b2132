import { bearerOf } from '#platform/access/bearer.ts';
import { callerOf } from '#platform/access/guard.ts';
import { invalidField } from '#platform/errors.ts';
import type { App } from '#platform/http/app-kit.ts';
import { answers, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import * as s from './branding.schemas.ts';
import type { Branding } from './branding.service.ts';

const reads = { as: 'user', role: 'developer', scope: 'account:read' } as const;
const writes = { as: 'user', role: 'developer', scope: 'account:write' } as const;
const SAVED = 'Branding saved successfully!';

export function brandingRoutes(branding: Branding) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/developer/branding',
      {
        config: { access: { as: 'public', knows: { role: 'developer', scope: 'account:read' } }, lane: 'licensing' },
        schema: {
          operationId: 'getBranding',
          tags: ['branding'],
          summary: 'Get the branding of a developer’s redemption page',
          querystring: s.BrandingQuery,
          response: answers({ 200: s.BrandingView }, 401, 403, 404),
        },
      },
      async (request) => {
        const { dev } = request.query;
        if (dev === undefined && !bearerOf(request)) throw invalidField('dev', 'Required.');
        return branding.of(dev ?? (await request.identify()).accountId);
      },
    );

    app.get(
      '/api/branding/domain',
      {
        config: { access: { as: 'public' }, lane: 'licensing' },
        schema: {
          operationId: 'getBrandingByHost',
          tags: ['branding'],
          summary: 'Get the branding of a custom domain’s redemption page',
          querystring: s.HostQuery,
          response: answers({ 200: s.BrandingView }, 404),
        },
      },
      async (request) => branding.ofHost(request.query.host),
    );

    app.get(
      '/api/developer/branding/private',
      {
        config: { access: reads },
        schema: {
          operationId: 'getPrivateBranding',
          tags: ['branding'],
          summary: 'Get your own branding, email settings and domain',
          response: privateAnswers({ 200: s.PrivateBrandingView }, 404),
        },
      },
      async (request) => branding.private(callerOf(request)),
    );

    app.post(
      '/api/developer/branding/update',
      {
        config: { access: writes },
        schema: {
          operationId: 'updateBranding',
          tags: ['branding'],
          summary: 'Update the branding of the redemption page',
          description: 'Omitted fields stay unchanged.',
          body: s.UpdateBrandingBody,
          response: privateAnswers({ 200: s.SavedBranding }, 404, ...WRITE),
        },
      },
      async (request) => ({ message: SAVED, branding: await branding.update(callerOf(request), request.body) }),
    );

    app.put(
      '/api/developer/branding/update',
      {
        config: { access: writes },
        schema: {
          operationId: 'updateBrandingSettings',
          tags: ['branding'],
          summary: 'Update branding and email settings',
          description: 'Omitted fields stay unchanged.',
          body: s.UpdateBrandingSettingsBody,
          response: privateAnswers({ 200: s.SavedBranding }, 404, ...WRITE),
        },
      },
      async (request) => ({ message: SAVED, branding: await branding.update(callerOf(request), request.body) }),
    );

    app.post(
      '/api/developer/branding/reset',
      {
        config: { access: writes },
        schema: {
          operationId: 'resetBranding',
          tags: ['branding'],
          summary: 'Reset the branding to its default, without a logo or contact',
          response: privateAnswers({ 200: s.SavedBranding }, 404, ...WRITE),
        },
      },
      async (request) => ({ message: SAVED, branding: await branding.reset(callerOf(request)) }),
    );
  };
}
